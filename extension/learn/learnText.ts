import { isBefore, type Version } from '../../server/core/torch/version.ts';
import english from './learn.en.md';
import chinese from './learn.zh-cn.md';
import { segmentPicture } from './segmentPicture.ts';

/** What the page says of the person's own code. */
export interface LearnSubject {
  /** As VS Code calls it: `en`, `zh-cn`. */
  readonly language: string;
  /** The torch that the code runs on, where somebody says so. */
  readonly torch: Version | undefined;
  readonly model: { readonly name: string; readonly layers: number; readonly segment: number } | undefined;
}

/** The page as Markdown, with its pictures by the paragraphs that stand for them. */
export interface LearnText {
  readonly markdown: string;
  /** SVG by the text of its paragraph. */
  readonly pictures: ReadonlyMap<string, string>;
}

export function learnText({ language, torch, model }: LearnSubject): LearnText {
  const isChinese = /^zh(-cn|-hans|$)/i.test(language);
  const words = isChinese ? chineseWords : englishWords;
  const pictures = new Map<string, string>();
  const picture = (layers: number, segment: number): string => {
    const name = `picture ${layers} ${segment}`;
    pictures.set(name, segmentPicture({ layers, segment, words }));
    return name;
  };
  const own =
    model === undefined
      ? words.noModel
      : `${words.own(model.name, model.layers, model.segment)}\n\n${picture(model.layers, model.segment)}`;
  const markdown = (isChinese ? chinese : english)
    .split('\n')
    .flatMap((line) => forVersion(line, torch) ?? [])
    .join('\n')
    .replace('{{version}}', torch === undefined ? words.anyVersion : words.version(`${torch.major}.${torch.minor}`))
    .replace('{{default}}', isBefore(torch, 2, 1) ? words.silentDefault : words.warningDefault)
    .replace('{{own}}', own)
    .replace(/\{\{picture (\d+) (\d+)\}\}/g, (_, layers, segment) => picture(Number(layers), Number(segment)));
  return { markdown: withRuleLinks(markdown), pictures };
}

/** A line may hold for some versions only: `<!-- torch >=2.9 -->` at its end. An unknown version counts as a current one. */
function forVersion(line: string, torch: Version | undefined): string | undefined {
  const found = / ?<!-- torch (>=|<)(\d+)\.(\d+) -->$/.exec(line);
  if (found === null) return line;
  const [marker, relation, major, minor] = found;
  // The newest form of the decorator is newer than what most people run.
  const version = torch ?? currentTorch;
  const holds = isBefore(version, Number(major), Number(minor)) === (relation === '<');
  return holds ? line.slice(0, -marker.length) : undefined;
}

const currentTorch: Version = { major: 2, minor: 13, patch: 0 };

/** Codes of rules open the rule's page. */
const withRuleLinks = (markdown: string): string =>
  markdown.replace(/AC\d{3}/g, (code) => {
    const given = encodeURIComponent(JSON.stringify([code]));
    return `[${code}](command:checkpointLens.explainRule?${given})`;
  });

export interface LearnWords {
  readonly version: (torch: string) => string;
  readonly anyVersion: string;
  readonly warningDefault: string;
  readonly silentDefault: string;
  readonly noModel: string;
  readonly own: (name: string, layers: number, segment: number) => string;
  readonly forward: string;
  readonly backward: string;
  readonly kept: string;
  readonly replayed: string;
  readonly alt: (layers: number, segment: number, boundaries: number, units: number) => string;
}

const units = (layers: number, segment: number): number => Math.ceil(layers / segment) + segment;

const englishWords: LearnWords = {
  version: (torch) => `As torch ${torch} does it, the version found for your code.`,
  anyVersion: 'As torch 2.13 does it; no version was found for your code.',
  warningDefault:
    'A call that does not say which takes the reentrant one, with a warning; torch recommends the other (AC101).',
  silentDefault: 'A call that does not say which takes the reentrant one without a word (AC101).',
  noModel: 'Open a file with a model and this page shows its layers, too.',
  own: (name, layers, segment) =>
    `Your **${name}**: ${layers} layers in segments of ${segment} are ${Math.ceil(layers / segment)} + ${segment} = ${units(layers, segment)} units instead of ${layers}, by the same model.`,
  forward: 'forward',
  backward: 'backward',
  kept: 'kept input',
  replayed: 'replayed now',
  alt: (layers, segment, boundaries, all) =>
    `${layers} layers in segments of ${segment}: ${boundaries} inputs are kept, and the last segment is replayed; ${all} units instead of ${layers}.`,
};

const chineseWords: LearnWords = {
  version: (torch) => `按 torch ${torch} 的行为写成，这是在你的代码中找到的版本。`,
  anyVersion: '按 torch 2.13 的行为写成；没有找到你的代码所用的版本。',
  warningDefault: '没有写明的调用会采用重入变体，并给出警告；torch 推荐的是另一种（AC101）。',
  silentDefault: '没有写明的调用会直接采用重入变体，没有任何提示（AC101）。',
  noModel: '打开一个含有模型的文件，这里也会显示它的层。',
  own: (name, layers, segment) =>
    `你的 **${name}**：${layers} 层，每段 ${segment} 层，按同一模型为 ${Math.ceil(layers / segment)} + ${segment} = ${units(layers, segment)} 个单位，而不是 ${layers}。`,
  forward: '前向',
  backward: '反向',
  kept: '留下的输入',
  replayed: '正在重放',
  alt: (layers, segment, boundaries, all) =>
    `${layers} 层，每段 ${segment} 层：留下 ${boundaries} 份输入，正在重放最后一段；${all} 个单位，而不是 ${layers}。`,
};
