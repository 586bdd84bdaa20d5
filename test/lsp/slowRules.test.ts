import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { defaultSettings } from '../../server/core/settings.ts';
import { type Analyses, analysesWith } from '../../server/lsp/analysis.ts';
import { pythonParser } from '../support/python.ts';

const eager = `from transformers import AutoModelForCausalLM
from trl import SFTConfig, SFTTrainer

model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf", attn_implementation="eager")
args = SFTConfig("out", gradient_checkpointing=False, per_device_train_batch_size=4, max_length=4096, bf16=True)
SFTTrainer(model, args=args).train()
`;

/** Every look at the clock is so many milliseconds behind the one before. */
function analysesTaking(milliseconds: number): Analyses {
  let time = 0;
  return analysesWith(
    pythonParser.track,
    () => undefined,
    assert.fail,
    () => (time += milliseconds),
  );
}

/** The codes of a version of the document, each with the text it points at. */
function found(analyses: Analyses, version: number, text: string): readonly string[] {
  const document = TextDocument.create('file:///train.py', 'python', version, text);
  return analyses
    .of(document)
    .diagnostics(defaultSettings)
    .map(({ code, at }) => `${code} ${text.slice(at.start, at.end)}`);
}

test('a slow rule finds again what it found, until no key comes for a while', () => {
  const analyses = analysesTaking(5);
  const document = (version: number, text: string): TextDocument =>
    TextDocument.create('file:///train.py', 'python', version, text);
  assert.deepEqual(found(analyses, 1, eager), ['AC507 "eager"']);
  const above = `import math\n${eager}`;
  assert.deepEqual(found(analyses, 2, above), ['AC507 "eager"']);
  const fewer = above.replace('4096', '16');
  assert.deepEqual(found(analyses, 3, fewer), ['AC507 "eager"']);
  assert.equal(analyses.of(document(3, fewer)).catchUp(), true);
  assert.deepEqual(found(analyses, 3, fewer), []);
  assert.equal(analyses.of(document(3, fewer)).catchUp(), false);
});

test('what a slow rule found is not said of a place that is edited', () => {
  const analyses = analysesTaking(5);
  assert.deepEqual(found(analyses, 1, eager), ['AC507 "eager"']);
  assert.deepEqual(found(analyses, 2, eager.replace('"eager"', '"eag"')), []);
});

test('a fix of a slow rule moves along', () => {
  const analyses = analysesTaking(5);
  assert.deepEqual(found(analyses, 1, eager), ['AC507 "eager"']);
  const text = `import math\n${eager}`;
  const document = TextDocument.create('file:///train.py', 'python', 2, text);
  const [finding] = analyses.of(document).diagnostics(defaultSettings);
  const [edit] = finding?.fixes[0]?.edits ?? [];
  assert.equal(edit && text.slice(edit.span.start, edit.span.end), '"eager"');
});

test('a slow rule that is silenced by a comment is not told to silence nothing', () => {
  const analyses = analysesTaking(5);
  const silenced = eager.replace('"eager")', '"eager")  # noqa: AC507');
  assert.deepEqual(found(analyses, 1, silenced), []);
  assert.deepEqual(found(analyses, 2, `import math\n${silenced}`), []);
});

test('a rule that is quick looks at every version', () => {
  const analyses = analysesTaking(1);
  assert.deepEqual(found(analyses, 1, eager), ['AC507 "eager"']);
  assert.deepEqual(found(analyses, 2, eager.replace('4096', '16')), []);
});
