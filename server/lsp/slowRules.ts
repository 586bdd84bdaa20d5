import type { Finding, Fix, Rule } from '../core/lint/rule.ts';
import { type Change, changeBetween, movedThrough } from '../core/text/change.ts';
import { type Span, spanOf } from '../core/text/span.ts';

/**
 * The rules that find out about the whole run of one document. Where that takes longer than somebody who types should wait,
 * they find again what they have found last, for as long as the keys come.
 */
export class SlowRules {
  readonly #last = new Map<string, LastCheck>();
  readonly #now: () => number;
  /** Some rule has found again what it has found before, in a text that is another one now. */
  isBehind = false;

  /** `now` in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** What a rule finds in a version of the document; `check` looks. */
  findings(rule: Rule, text: string, check: () => readonly Finding[]): readonly Finding[] {
    const last = this.#last.get(rule.code);
    if (last !== undefined) {
      if (last.text === text) return last.findings;
      this.isBehind = true;
      const findings = foundAgain(last.findings, changeBetween(last.text, text));
      this.#last.set(rule.code, { text, findings });
      return findings;
    }
    const started = this.#now();
    const findings = check();
    // Nodes of this version are moved, or done with, in the next one.
    if (this.#now() - started >= worthWaiting) this.#last.set(rule.code, { text, findings: findings.map(copied) });
    return findings;
  }

  /** No key has come for a while: from now on every rule looks. */
  catchUp(): void {
    this.#last.clear();
    this.isBehind = false;
  }
}

/** In milliseconds: one frame holds everything else that a key sets off. */
const worthWaiting = 4;

/** Of a rule that was slow. */
interface LastCheck {
  readonly text: string;
  readonly findings: readonly Finding[];
}

function copied(finding: Finding): Finding {
  const place = ({ start, end }: Span): Span => spanOf(start, end);
  const fixes = finding.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map(({ span, text }) => ({ span: place(span), text })),
  }));
  return { ...finding, at: place(finding.at), about: place(finding.about), fixes };
}

/** Without those whose place has been edited: what they say may no longer be so. */
function foundAgain(findings: readonly Finding[], change: Change): readonly Finding[] {
  return findings.flatMap((finding) => {
    const at = movedThrough(change, finding.at);
    const about = movedThrough(change, finding.about);
    if (at === undefined || about === undefined) return [];
    return [{ ...finding, at, about, fixes: finding.fixes.flatMap((fix) => fixAgain(fix, change)) }];
  });
}

/** None where one of its edits would change what is edited now. */
function fixAgain(fix: Fix, change: Change): readonly Fix[] {
  const edits = fix.edits.flatMap(({ span, text }) => {
    const moved = movedThrough(change, span);
    return moved === undefined ? [] : [{ span: moved, text }];
  });
  return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
}
