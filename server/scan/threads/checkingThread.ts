import type { MessagePort } from 'node:worker_threads';
import { allRules } from '../../core/rules/generated/registry.ts';
import { Dependencies } from '../../disk/dependencies.ts';
import { observedDisk } from '../cache/observedDisk.ts';
import { checkSource } from '../checkSource.ts';
import { plainDiagnostic } from '../plainDiagnostic.ts';
import { reason } from '../problem.ts';
import { decodeSource } from '../pythonSource.ts';
import { loadableTools, type Tools } from '../tools.ts';
import type { CheckingStart, FromThread, ThreadAnswer, ToThread } from './messages.ts';

/** Checks the files that are sent through the port, one after another, until the thread is ended. */
export async function checkForOthers(start: CheckingStart, port: MessagePort): Promise<void> {
  const disk = observedDisk();
  const dependencies = new Dependencies();
  const tools = await loadableTools(start.folders, disk.fileSystem, dependencies).load();
  const say = (message: FromThread): void => port.postMessage(message);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'check') {
      say({ kind: 'checked', number: message.number, answer: answerFor(message.path, message.bytes, start, tools) });
    } else {
      say({ kind: 'notes', notes: { asked: dependencies.asked(), observed: disk.all() } });
    }
  });
  say({ kind: 'ready' });
}

function answerFor(path: string, bytes: Uint8Array, start: CheckingStart, tools: Tools): ThreadAnswer {
  const { rules, ...request } = start;
  const crashes: { code: string; message: string }[] = [];
  try {
    const { diagnostics } = checkSource(
      path,
      decodeSource(bytes),
      tools,
      {
        ...request,
        rules: allRules.filter(({ code }) => rules.includes(code)),
        onCrash: ({ code }, error) => crashes.push({ code, message: String(error) }),
      },
      false,
    );
    return { diagnostics: diagnostics.map(plainDiagnostic), crashes };
  } catch (error) {
    return { diagnostics: [], crashes, failed: reason(error) };
  }
}
