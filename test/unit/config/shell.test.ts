// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell writes its variables like that
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseShell, plainText } from '../../../server/core/config/shell.ts';
import { flagListsOf } from '../../../server/core/config/shellFlags.ts';

const lists = (text: string): string[] =>
  flagListsOf(parseShell(text)).map(
    ({ words, complete }) => `${words.map((word) => word.text ?? '?').join(' ')}${complete ? '' : ' …'}`,
  );

test('words, quotes, continuations, comments and separators', () => {
  const script = parseShell(
    'python a.py \\\n  --x "two words" \'three $x\' esc\\ aped # --no\nfoo; bar && baz | tee log 2>&1\n',
  );
  assert.deepEqual(
    script.commands.map(({ words }) => words.map((word) => plainText(word))),
    [['python', 'a.py', '--x', 'two words', 'three $x', 'esc aped'], ['foo'], ['bar'], ['baz'], ['tee', 'log', '2']],
  );
  assert.deepEqual(
    script.comments.map(({ text }) => text),
    ['# --no'],
  );
});

test('arrays and variables are put into the command', () => {
  assert.deepEqual(
    lists('G=full\nARGS=(\n  --recompute-granularity $G # why\n  --n "$N"\n)\ntorchrun train.py ${ARGS[@]} --end\n'),
    ['torchrun train.py --recompute-granularity full --n ? --end'],
  );
  assert.deepEqual(lists('A="--a 1 \\\n  --b 2"\nB="$A --c"\npython t.py $B\n'), ['python t.py --a 1 --b 2 --c']);
});

test('the place of a word is where it is written', () => {
  const text = 'A="--a 1 --bb 2"\npython t.py $A\n';
  const [list] = flagListsOf(parseShell(text));
  assert.deepEqual(
    list?.words.map(({ at }) => text.slice(at.start, at.end)),
    ['python', 't.py', '--a', '1', '--bb', '2'],
  );
});

test('a list is open where more may come', () => {
  assert.deepEqual(lists('python t.py --a $EXTRA\n'), ['python t.py --a ? …']);
  assert.deepEqual(lists('python t.py --a "$@"\n'), ['python t.py --a ? …']);
  assert.deepEqual(lists('bash run.sh --a 1\n'), ['bash run.sh --a 1 …']);
  assert.deepEqual(lists('A=(--a)\nif x; then\n  A+=(--b)\nfi\npython t.py "${A[@]}"\n'), [
    'python t.py --a …',
    '--b …',
  ]);
  assert.deepEqual(lists('if x; then\n  A="--a"\nfi\npython t.py --c $A\n'), ['python t.py --c ? …', '--a …']);
  assert.deepEqual(lists('A="--a"\nA="--b"\npython t.py --c $A\n'), ['python t.py --c ? …', '--a …', '--b …']);
});

test('a variable called like its flag is its value', () => {
  assert.deepEqual(lists('python t.py --zero_stage $ZERO_STAGE --out-dir ${DIR}\n'), [
    'python t.py --zero_stage ? --out-dir ?',
  ]);
  assert.deepEqual(lists('python t.py --bf16 $EXTRA --lr $1\n'), ['python t.py --bf16 ? --lr ? …']);
});

test('here-documents, substitutions and functions', () => {
  assert.deepEqual(lists('cat <<EOF\npython --inside\nEOF\npython t.py --a $(date "+%s)") --b\n'), [
    'python t.py --a ? --b …',
  ]);
  assert.deepEqual(lists('run() {\n  A="--a"\n}\npython t.py --c `pwd`/x\n'), ['python t.py --c ? …', '--a …']);
  assert.deepEqual(lists('X=1 python t.py key=value --a ${N:-3} --b "${N:-3}"\n').length, 1);
});

test('broken and cyclic scripts end', () => {
  for (const text of [
    'A=$A\npython t.py $A --x',
    'A="$B"\nB="$A"\npython t.py $A --x',
    '"',
    "'",
    '$(',
    '`',
    'A=(',
    '<<',
    '\\',
    '${',
    'a <<E',
  ]) {
    assert.doesNotThrow(() => lists(text), text);
  }
  const bomb = Array.from({ length: 30 }, (_, index) => `A${index + 1}="$A${index} $A${index}"`).join('\n');
  const started = performance.now();
  lists(`A0="--x"\n${bomb}\npython t.py $A30\n`);
  assert.ok(performance.now() - started < 20_000);
});
