import type { ConfigFile } from '../config/configFile.ts';
import type { Module } from '../python/ast.ts';
import type { CallIndex } from '../python/calls.ts';
import type { Enclosing } from '../python/enclosing.ts';
import type { Names } from '../python/names.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import type { Region } from '../sites/region.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import type { Suppression } from './suppress.ts';

/** Error: raises, or gradients are silently wrong. Warning: likely wrong, or a trap on another version. Information: costs
 * memory or time. Hint: style. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What every rule is asked about one file; all of it plain data. */
export interface LintContext {
  readonly file: SourceFile;
  /** The file's own tree and names, for short. */
  readonly module: Module;
  readonly names: Names;
  readonly calls: CallIndex;
  readonly sites: readonly CheckpointSite[];
  /**
   * Those of which `isMeant` says so by the code around a site, its region and what names stand for, and by nothing else of
   * the file: its answer is kept while other code is edited. `kind` tells apart what is asked.
   */
  sitesWhere(kind: symbol, isMeant: (site: CheckpointSite) => boolean): readonly CheckpointSite[];
  /** The files around this one; undefined where there is only this text. */
  readonly workspace: Workspace | undefined;
  /** Library versions the code runs on; a library nobody said a version of is missing. */
  readonly versions: Versions;
  /** The code a region runs, as far as it can be followed. */
  region(site: CheckpointSite): Region;
  /** The function, class, loops and conditions around a place. */
  around(place: Span): Enclosing;
}

/** What a rule is asked about one configuration file. */
export interface ConfigContext {
  readonly file: ConfigFile;
  /** The files around this one; undefined where there is only this text. */
  readonly workspace: Workspace | undefined;
  readonly versions: Versions;
}

/** What a rule is asked about the comments of one file that ask for silence, once it is known what they silenced. */
export interface CommentContext {
  readonly text: string;
  readonly asked: readonly { readonly suppression: Suppression; readonly silenced: readonly Diagnostic[] }[];
  /** The rules that have looked at the file; one that is switched off or failed may have had something to say. */
  readonly ran: readonly Rule[];
  /** Whether that is all rules there are. */
  readonly isComplete: boolean;
}

/**
 * A rule is a value. Its name names the bad pattern and reads after "allow"; everything a person wants to know more is on
 * its page, the Markdown file of the same name beside it.
 */
export interface Rule {
  /** `AC` and three digits, the first one for the family. */
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  /** One line for tables and lists. */
  readonly summary: string;
  /** It finds out about the whole run where it has something to say: while somebody types it may lag behind. */
  readonly takesLong?: boolean;
  /** Finds every case in a Python file. Must not keep state; a throw loses only this rule's findings of this file. */
  check?(context: LintContext): Iterable<Finding>;
  /** The same for a configuration file or a shell script. */
  checkConfig?(context: ConfigContext): Iterable<Finding>;
  /** The same for comments that ask for silence, in either kind of file, after all other rules. */
  checkComments?(context: CommentContext): Iterable<Finding>;
}

export interface Finding {
  readonly at: Span;
  /** Where one finding of the rule weighs less or more than the rule does. */
  readonly severity?: Severity;
  /** What happens and what it costs, in one sentence without a full stop. */
  readonly message: string;
  /** Best first. At most one is preferred; fix-all takes only preferred ones. */
  readonly fixes: readonly Fix[];
  /** The statement or call it is about: a suppression on its first or last line counts too. */
  readonly about: Span;
}

export interface Fix {
  readonly title: string;
  readonly preferred: boolean;
  readonly edits: readonly TextEdit[];
}

/** A finding with its rule's data, after settings have had their say about the severity. */
export interface Diagnostic extends Omit<Finding, 'severity'> {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
}
