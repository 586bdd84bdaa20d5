import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  condaVersions,
  installedVersions,
  lockVersions,
  pyprojectVersions,
  requirementVersions,
} from '../../../server/core/torch/declaredVersions.ts';
import { type Versions, versionText } from '../../../server/core/torch/version.ts';

const show = (versions: Versions): string =>
  Object.entries(versions)
    .map(([name, version]) => `${name} ${versionText(version)}`)
    .sort()
    .join(', ');

const cases: readonly [title: string, read: (text: string) => Versions, text: string, expected: string][] = [
  [
    'pins in requirements',
    requirementVersions,
    'numpy\ntorch==2.4.1+cu121\ntransformers[torch]==4.46.0 ; python_version > "3.8"\npeft ~= 0.13.0  # adapters\n',
    'peft 0.13, torch 2.4.1, transformers 4.46.0',
  ],
  ['ranges say nothing', requirementVersions, 'torch>=2.0\ntransformers<5\naccelerate\ntrl~=0.9\npeft==0.*\n', ''],
  ['any patch of a release', requirementVersions, 'torch==2.4.*\ndeepspeed~=0.19.1\n', 'deepspeed 0.19, torch 2.4'],
  ['a version of two numbers', requirementVersions, 'torch==2.4\n', 'torch 2.4'],
  ['a commented pin says nothing', requirementVersions, '# torch==2.4.1\n', ''],
  ['other packages with the same beginning', requirementVersions, 'torchvision==0.19.0\ntorch-ema==0.3\n', ''],
  [
    'hashes and Windows line endings',
    requirementVersions,
    'torch==2.3.0 \\\r\n    --hash=sha256:abc\r\npytorch_lightning==2.2.0\r\n',
    'lightning 2.2.0, torch 2.3.0',
  ],
  [
    'conda',
    condaVersions,
    'dependencies:\n  - python=3.11\n  - pytorch::pytorch=2.4.1=py3.11_cuda\n  - pip:\n      - transformers==4.40.0\n',
    'torch 2.4.1, transformers 4.40.0',
  ],
  [
    'uv and poetry locks',
    lockVersions,
    '[[package]]\nname = "torch"\nversion = "2.9.0"\n\n[[package]]\nname = "tqdm"\nversion = "4.0"\n',
    'torch 2.9.0',
  ],
  [
    'a lock entry without a version does not take that of the next',
    lockVersions,
    '[[package]]\nname = "torch"\n\n[[package]]\nname = "tqdm"\nversion = "4.0"\n',
    '',
  ],
  [
    'pyproject',
    pyprojectVersions,
    '[project]\ndependencies = ["torch==2.5.1", "trl>=0.9", \'deepspeed==0.15.0\']\n[tool.poetry.dependencies]\ntransformers = "4.44.2"\npeft = "^0.12"\n',
    'deepspeed 0.15.0, torch 2.5.1, transformers 4.44.2',
  ],
  [
    'installed',
    (text) => installedVersions(text.split(' ')),
    'torch-2.13.0+cpu.dist-info torchgen transformers-5.18.0.dist-info torch',
    'torch 2.13.0, transformers 5.18.0',
  ],
];

for (const [title, read, text, expected] of cases) {
  test(`declared versions: ${title}`, () => assert.equal(show(read(text)), expected));
}
