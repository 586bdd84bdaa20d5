// Stands in for VS Code: ?theme=dark|light|hc-dark|hc-light & facts=gpt2|llama|stale|run|none|nothing|dead & device=none
const query = new URLSearchParams(location.search);
const stored = `panel-${query.get('facts')}`;

const themes = {
  dark: {
    foreground: '#cccccc',
    descriptionForeground: '#9d9d9d',
    focusBorder: '#0078d4',
    'sideBar-background': '#181818',
    'sideBarSectionHeader-foreground': '#cccccc',
    'sideBarSectionHeader-border': '#2b2b2b',
    'textLink-foreground': '#4daafc',
    'textLink-activeForeground': '#4daafc',
    'textPreformat-foreground': '#d0d0d0',
    'list-hoverBackground': '#2a2d2e',
    'input-background': '#313131',
    'input-foreground': '#cccccc',
    'input-border': '#3c3c3c',
    'inputValidation-errorBorder': '#be1100',
    'inputValidation-errorBackground': '#5a1d1d',
    'dropdown-background': '#313131',
    'dropdown-foreground': '#cccccc',
    'dropdown-border': '#3c3c3c',
    'button-background': '#0078d4',
    'button-secondaryBackground': '#313131',
    'button-secondaryForeground': '#cccccc',
    'button-secondaryHoverBackground': '#3c3c3c',
    'button-border': '#ffffff12',
    'badge-background': '#616161',
    'badge-foreground': '#f8f8f8',
    'settings-modifiedItemIndicator': '#bb800966',
    'editorWarning-foreground': '#cca700',
    'editorInfo-foreground': '#3794ff',
    'charts-blue': '#3794ff',
    'charts-orange': '#613214',
    'charts-green': '#89d185',
    'charts-purple': '#b180d7',
    'charts-yellow': '#cca700',
    'charts-red': '#f14c4c',
    'charts-lines': '#cccccc80',
    'charts-foreground': '#cccccc',
  },
  light: {
    foreground: '#3b3b3b',
    descriptionForeground: '#3b3b3b',
    focusBorder: '#005fb8',
    'sideBar-background': '#f8f8f8',
    'sideBarSectionHeader-foreground': '#3b3b3b',
    'sideBarSectionHeader-border': '#e5e5e5',
    'textLink-foreground': '#005fb8',
    'textLink-activeForeground': '#005fb8',
    'textPreformat-foreground': '#3b3b3b',
    'list-hoverBackground': '#f2f2f2',
    'input-background': '#ffffff',
    'input-foreground': '#3b3b3b',
    'input-border': '#cecece',
    'inputValidation-errorBorder': '#be1100',
    'inputValidation-errorBackground': '#f2dede',
    'dropdown-background': '#ffffff',
    'dropdown-foreground': '#3b3b3b',
    'dropdown-border': '#cecece',
    'button-background': '#005fb8',
    'button-secondaryBackground': '#e5e5e5',
    'button-secondaryForeground': '#3b3b3b',
    'button-secondaryHoverBackground': '#cccccc',
    'button-border': '#0000001a',
    'badge-background': '#cccccc',
    'badge-foreground': '#3b3b3b',
    'settings-modifiedItemIndicator': '#bb800966',
    'editorWarning-foreground': '#bf8803',
    'editorInfo-foreground': '#1a85ff',
    'charts-blue': '#1a85ff',
    'charts-orange': '#613214',
    'charts-green': '#388a34',
    'charts-purple': '#652d90',
    'charts-yellow': '#bf8803',
    'charts-red': '#e51400',
    'charts-lines': '#3b3b3b80',
    'charts-foreground': '#3b3b3b',
  },
  'hc-dark': {
    foreground: '#ffffff',
    descriptionForeground: '#ffffffb3',
    focusBorder: '#f38518',
    'sideBar-background': '#000000',
    contrastBorder: '#6fc3df',
    contrastActiveBorder: '#f38518',
    'textLink-foreground': '#21a6ff',
    'textLink-activeForeground': '#21a6ff',
    'textPreformat-foreground': '#ffffff',
    'input-background': '#000000',
    'input-foreground': '#ffffff',
    'input-border': '#6fc3df',
    'inputValidation-errorBorder': '#6fc3df',
    'inputValidation-errorBackground': '#000000',
    'dropdown-background': '#000000',
    'dropdown-foreground': '#ffffff',
    'dropdown-border': '#6fc3df',
    'button-border': '#6fc3df',
    'button-secondaryForeground': '#ffffff',
    'badge-background': '#000000',
    'badge-foreground': '#ffffff',
    'settings-modifiedItemIndicator': '#0c7d9d',
    'editorWarning-foreground': '#ffd370',
    'editorInfo-foreground': '#3794ff',
    'charts-blue': '#3794ff',
    'charts-orange': '#613214',
    'charts-green': '#89d185',
    'charts-purple': '#b180d7',
    'charts-yellow': '#ffd370',
    'charts-red': '#f48771',
    'charts-lines': '#ffffff80',
    'charts-foreground': '#ffffff',
  },
  'hc-light': {
    foreground: '#292929',
    descriptionForeground: '#292929b3',
    focusBorder: '#006bbd',
    'sideBar-background': '#ffffff',
    contrastBorder: '#0f4a85',
    contrastActiveBorder: '#006bbd',
    'textLink-foreground': '#0f4a85',
    'textLink-activeForeground': '#0f4a85',
    'textPreformat-foreground': '#ffffff',
    'textPreformat-background': '#09345f',
    'input-background': '#ffffff',
    'input-foreground': '#292929',
    'input-border': '#0f4a85',
    'inputValidation-errorBorder': '#0f4a85',
    'inputValidation-errorBackground': '#ffffff',
    'dropdown-background': '#ffffff',
    'dropdown-foreground': '#292929',
    'dropdown-border': '#0f4a85',
    'button-background': '#0f4a85',
    'button-border': '#0f4a85',
    'button-secondaryBackground': '#ffffff',
    'button-secondaryForeground': '#292929',
    'badge-background': '#0f4a85',
    'badge-foreground': '#ffffff',
    'settings-modifiedItemIndicator': '#66afe0',
    'editorWarning-foreground': '#895503',
    'editorInfo-foreground': '#1a85ff',
    'charts-blue': '#1a85ff',
    'charts-orange': '#613214',
    'charts-green': '#374e06',
    'charts-purple': '#652d90',
    'charts-yellow': '#895503',
    'charts-red': '#b5200d',
    'charts-lines': '#29292980',
    'charts-foreground': '#292929',
  },
};

const uri = 'file:///project/train.py';
const written = (value, line) => ({
  value,
  origin: { kind: 'literal', place: { path: uri, span: { start: line * 40, end: line * 40 + 8 }, line, column: 9 } },
});
const normal = (value, what) => ({ value, origin: { kind: 'default', library: 'transformers', what } });
const derived = (value, from) => ({ value, origin: { kind: 'derived', from } });
const assumed = (value, why) => ({ value, origin: { kind: 'assumed', why } });
const known = (value) => ({
  value,
  origin: {
    kind: 'registry',
    model: 'meta-llama/Llama-3.1-8B',
    place: { path: uri, span: { start: 320, end: 340 }, line: 8, column: 44 },
  },
});

const gpt2 = {
  model: {
    name: written('GPT2Config', 14),
    family: written('gpt2', 14),
    layers: written(24, 15),
    hidden: written(1024, 16),
    heads: written(16, 17),
    keyValueHeads: derived(16, 'the same as n_head'),
    headDimension: derived(64, 'n_embd / n_head'),
    feedForward: derived(4096, '4 × n_embd'),
    vocabulary: normal(50257, 'GPT2Config.vocab_size'),
    maximumSequence: normal(1024, 'GPT2Config.n_positions'),
    activation: normal('gelu_new', 'GPT2Config.activation_function'),
    tiedEmbeddings: normal(true, 'GPT2Config.tie_word_embeddings'),
    bias: derived(true, 'GPT-2 always has them'),
  },
  run: {
    batch: written(8, 31),
    sequence: assumed(1024, 'no length is written; the longest the model takes'),
    dataType: written('bf16', 33),
    autocast: derived(true, 'bf16=True in TrainingArguments'),
    attention: normal('sdpa', 'GPT2Model._attn_implementation'),
    dropout: normal(0.1, 'GPT2Config.resid_pdrop'),
    checkpointing: normal({ mode: 'none', segment: 1 }, 'TrainingArguments.gradient_checkpointing'),
  },
  notes: [],
};
const llama = {
  model: {
    name: known('meta-llama/Llama-3.1-8B'),
    family: known('llama'),
    layers: known(32),
    hidden: known(4096),
    heads: known(32),
    keyValueHeads: known(8),
    headDimension: derived(128, 'hidden_size / num_attention_heads'),
    feedForward: known(14336),
    vocabulary: known(128256),
    maximumSequence: known(131072),
    activation: known('silu'),
    tiedEmbeddings: known(false),
    bias: known(false),
  },
  run: {
    batch: written(2, 12),
    sequence: written(4096, 13),
    dataType: written('bf16', 9),
    autocast: assumed(false, 'the model itself is loaded in bf16'),
    attention: written('flash', 10),
    dropout: normal(0, 'LlamaConfig.attention_dropout'),
    checkpointing: written({ mode: 'full', segment: 1 }, 15),
  },
  notes: ['per_device_train_batch_size is set twice, on lines 12 and 40; the first is used.'],
};
const runs = [
  { id: 'a', title: 'train.py' },
  { id: 'b', title: 'launch.sh: train.py' },
];
const shown = (facts, stale = false) => ({
  uri,
  name: 'train.py',
  facts,
  stale,
  runs: query.get('runs') === 'two' ? runs : runs.slice(0, 1),
  chosenRun: 'a',
});
const snapshots = {
  gpt2: shown(gpt2),
  llama: shown(llama),
  stale: shown(gpt2, true),
  nothing: shown(undefined),
  run: shown({ ...gpt2, model: undefined, notes: ['The model family “MambaConfig” has no account yet.'] }),
  none: undefined,
};

// What the extension would send for a choice in its list.
const device = {
  id: 'a100-40gb',
  name: 'A100 40 GB',
  generation: 'ampere',
  gigabytes: 40,
  words: ['a100'],
  memoryBytes: 40438 * 1024 * 1024,
  memorySource: 'total capacity in torch’s out-of-memory messages: 39.49 GiB most often',
  peakFlops: { bf16: 312e12 },
};
let chosen = query.get('device') === 'none' ? undefined : device;
const sendSnapshot = () => {
  const facts = query.get('facts') ?? 'gpt2';
  window.postMessage({
    type: 'facts',
    shown: facts === 'dead' ? snapshots.gpt2 : snapshots[facts],
    awaited: undefined,
    server: facts === 'dead' ? 'stopped' : 'running',
    device: chosen,
  });
};

globalThis.acquireVsCodeApi = () => ({
  postMessage(message) {
    if (message.type !== 'rendered') console.log(JSON.stringify(message));
    if (message.type === 'choose-device') chosen = chosen === undefined ? device : undefined;
    if (message.type === 'ready' || message.type === 'choose-device') sendSnapshot();
  },
  getState: () => JSON.parse(sessionStorage.getItem(stored) ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem(stored, JSON.stringify(state)),
});

const theme = query.get('theme') ?? 'dark';
const html = document.documentElement;
for (const [name, value] of Object.entries(themes[theme])) html.style.setProperty(`--vscode-${name}`, value);
html.style.setProperty('--vscode-font-family', 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif');
html.style.setProperty('--vscode-font-size', '13px');
html.style.setProperty('--vscode-editor-font-family', 'monospace');
html.style.background = 'var(--vscode-sideBar-background)';
const bodyClasses = {
  dark: ['vscode-dark'],
  light: ['vscode-light'],
  'hc-dark': ['vscode-high-contrast'],
  'hc-light': ['vscode-high-contrast', 'vscode-high-contrast-light'],
};
document.addEventListener('DOMContentLoaded', () => document.body.classList.add(...bodyClasses[theme]));
