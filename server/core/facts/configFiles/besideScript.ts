import type { SourceFile } from '../../workspace/workspace.ts';
import type { RunFacts } from '../facts.ts';
import { completed } from './completed.ts';
import { baseName, folderOf, type RunsAround } from './nearbyFiles.ts';
import { factsOfFile, saidOfFacts } from './pythonScript.ts';
import { type FoundRun, runsOfPython, runsOfText } from './runs.ts';
import { joined } from './said.ts';
import { settingsSource } from './settingsSource.ts';

/** Everything that is known of runs of one Python file, its own first: with settings beside it, and as scripts start it. */
export function runsAbout(
  file: SourceFile,
  around: RunsAround,
  own: RunFacts | undefined = factsOfFile(file, around),
): readonly FoundRun[] {
  around.known?.set(file.path, { text: file.text, facts: own });
  const configured = own && withAccelerateConfig(file, own, around);
  return [
    ...runsOfPython(file, around, own),
    ...(configured === undefined ? [] : [configured]),
    ...launchesOf(file, around),
  ];
}

/** Scripts of more commands than this lie in a folder of experiments; the first ones stand for them. */
const mostScripts = 60;

/** The command lines near a Python file that start it: in scripts of its folder, of `scripts` beside it, and one folder up. */
function launchesOf(file: SourceFile, around: RunsAround): readonly FoundRun[] {
  const { workspace } = around;
  if (workspace?.names === undefined || workspace.text === undefined) return [];
  const own = folderOf(file.path);
  const name = baseName(file.path);
  const folders = [own, `${own}/scripts`, folderOf(own), `${folderOf(own)}/scripts`];
  const scripts = folders.flatMap((folder) =>
    [...(workspace.names?.(folder) ?? [])]
      .filter((each) => /\.(sh|bash)$/.test(each))
      .sort()
      .map((each) => `${folder}/${each}`),
  );
  return scripts.slice(0, mostScripts).flatMap((script) => {
    const text = workspace.text?.(script);
    if (text?.includes(name) !== true) return [];
    return runsOfText(script, text, around).filter(
      ({ title }) => baseName(title) === name || title.endsWith(` ${name}`),
    );
  });
}

/** The file with the `default_config.yaml` of Accelerate beside it, which `accelerate launch` may be given. */
function withAccelerateConfig(file: SourceFile, facts: RunFacts, around: RunsAround): FoundRun | undefined {
  const path = `${folderOf(file.path)}/default_config.yaml`;
  const text = file.text.includes('accelerate') ? around.workspace?.text?.(path) : undefined;
  const source = text === undefined ? undefined : settingsSource(path, text, around);
  if (source?.kind !== 'accelerate') return undefined;
  return {
    id: `${file.path}+${path}`,
    title: `${baseName(file.path)} with ${baseName(path)}`,
    place: source.place,
    facts: completed(joined([source.said, saidOfFacts(facts)])),
    isWhole: facts.model !== undefined,
  };
}
