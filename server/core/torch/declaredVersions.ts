import { type Library, parseVersion, type Version, type Versions } from './version.ts';

/**
 * Library versions as project files declare them: text in, versions out. Only what fixes one release line counts: an exact
 * pin, any patch of one (`~=2.4.0`, `==2.4.*`), a lock file's entry. A range leaves the version unknown, and so does `~=2.4`,
 * which takes every 2.x from there on.
 */
const libraries: Readonly<Record<string, Library>> = {
  torch: 'torch',
  transformers: 'transformers',
  peft: 'peft',
  trl: 'trl',
  accelerate: 'accelerate',
  deepspeed: 'deepspeed',
  diffusers: 'diffusers',
  lightning: 'lightning',
  'pytorch-lightning': 'lightning',
};

/** `requirements.txt`, constraint files, `pip freeze`, and what pip-tools compiles. */
export function requirementVersions(text: string): Versions {
  const pin = new RegExp(`^\\s*${requirement}\\s*(?:[;#\\\\].*|--hash.*)?$`);
  return collect(text.split(/\r\n?|\n/).map((line) => pin.exec(line)));
}

/** Name, and `==` or `~=` with the version: as `requirements.txt` and `pyproject.toml` have it. */
const requirement = String.raw`([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*((?:===?|~=)\s*v?\d+(?:\.\d+\.\*|[\w.+!]*))`;

/** `environment.yml`: conda's `- pytorch=2.4.1=…` and the pip part's `- torch==2.4.1`. */
export function condaVersions(text: string): Versions {
  const pin =
    /^\s*-\s*["']?(?:[\w-]+::)?([A-Za-z0-9_.-]+)\s*={1,3}\s*(\d[\w.+!]*?)(?:\.\*)?(?:=[\w.]+)?["']?\s*(?:#.*)?$/;
  return collect(text.split(/\r\n?|\n/).map((line) => pin.exec(line)));
}

/** `uv.lock` and `poetry.lock`: a table per package with `name` and `version`. */
export function lockVersions(text: string): Versions {
  const entry =
    /\[\[package\]\]\s*\n(?:(?!\[\[package\]\])[\s\S])*?name\s*=\s*"([^"]+)"\s*\n(?:(?!\[\[package\]\])[\s\S])*?version\s*=\s*"([^"]+)"/g;
  return collect([...text.replace(/\r\n?/g, '\n').matchAll(entry)]);
}

/** `pyproject.toml`: pinned entries of `dependencies` and Poetry's `torch = "2.4.1"`. */
export function pyprojectVersions(text: string): Versions {
  const quoted = new RegExp(`["']\\s*${requirement}\\s*(?:;[^"']*)?["']`, 'g');
  const poetry = /^[ \t]*([A-Za-z0-9_.-]+)[ \t]*=[ \t]*["']={0,3}(\d[\w.+!]*)["']/gm;
  return collect([...text.matchAll(poetry), ...text.matchAll(quoted)]);
}

/** Folder names in `site-packages`: `torch-2.13.0+cpu.dist-info`. */
export function installedVersions(folderNames: Iterable<string>): Versions {
  const name = /^([A-Za-z0-9_.]+)-(\d[^-]*)\.dist-info$/;
  return collect(Array.from(folderNames, (folder) => name.exec(folder)));
}

function collect(matches: readonly (RegExpMatchArray | null)[]): Versions {
  const versions: Partial<Record<Library, Version>> = {};
  for (const match of matches) {
    const library = libraries[(match?.[1] ?? '').toLowerCase().replaceAll(/[_.]/g, '-')] ?? condaName(match?.[1]);
    const version = declaredVersion(match?.[2] ?? '');
    if (library !== undefined && version !== undefined) versions[library] ??= version;
  }
  return versions;
}

/** A version with or without the operator before it; `~=` names the oldest patch that will do. */
function declaredVersion(text: string): Version | undefined {
  const [, operator, number = ''] = /^(===?|~=)?\s*(.*)$/.exec(text) ?? [];
  const version = parseVersion(number);
  if (operator !== '~=' || version === undefined) return version;
  return version.patch === undefined ? undefined : { major: version.major, minor: version.minor };
}

const condaName = (name: string | undefined): Library | undefined =>
  name?.toLowerCase() === 'pytorch' ? 'torch' : undefined;
