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
    [['python', 'a.py', '--x', 'two words', 'three $x', 'esc aped'], ['foo'], ['bar'], ['baz'], ['tee', 'log']],
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

test('the number of a redirected stream is no word', () => {
  assert.deepEqual(lists('python t.py --a 4 2>&1 | tee log\npython t.py --b 2 >out 2>/dev/null\n'), [
    'python t.py --a 4',
    'python t.py --b 2',
  ]);
});

test('whole numbers are computed', () => {
  const script = 'N=3\nM=$((N * (1024 + 1)))\nD=${D:-4}\n';
  assert.deepEqual(lists(`${script}python t.py --a $((1024 * 8)) --b $M --c=$(( \${N} % 2 - 2**3 ))\n`), [
    'python t.py --a 8192 --b 3075 --c=-7',
  ]);
  assert.deepEqual(lists('python t.py --a $((X / 2)) --b $((1 / 0)) --c $((1 +)) --d $((1 << 2))\n'), [
    'python t.py --a ? --b ? --c ? --d ?',
  ]);
  const [list] = flagListsOf(parseShell(`${script}python t.py --a $((D * 2)) --b $M\n`));
  assert.deepEqual(
    list?.words.slice(3).map(({ supposed, computed }) => supposed ?? computed),
    ['8', undefined, 'N * (1024 + 1)'],
  );
});

test('expr computes, too', () => {
  assert.deepEqual(
    lists('N=4\npython t.py --a $(expr 16 / $N) --b `expr 2 \\* 3` --c $(expr length x) --d $(date)\n'),
    ['python t.py --a 4 --b 6 --c ? --d ? …'],
  );
});

test('computations that refer to each other end', () => {
  const terms = Array.from({ length: 40 }, (_, index) => `A${index % 9}`).join('+');
  const circle = Array.from({ length: 9 }, (_, index) => `A${index}=$((${terms}))`).join('\n');
  assert.deepEqual(lists(`${circle}\npython t.py --a $((${terms}))\n`), ['python t.py --a ?']);
});

test('variables in front of a program are its environment', () => {
  const [list] = flagListsOf(parseShell('G=4\nNPROC_PER_NODE=$G \\\nX="a b" swift sft --model m\n'));
  assert.deepEqual(
    list?.environment?.map(({ text }) => text),
    ['NPROC_PER_NODE=4'],
  );
});

test('a variable is filled by what read takes from a here-document', () => {
  const script = "read -r -d '' ARGS <<EOF\nmy.train \\\n   --a 1 \\\n   --b $N\nEOF\ndeepspeed --module $ARGS\n";
  assert.deepEqual(lists(script), ['deepspeed --module my.train --a 1 --b ? …']);
  assert.deepEqual(lists('cat <<EOF\n--a 1\nEOF\nread -r NAME\npython t.py --name $NAME\n'), ['python t.py --name ?']);
});
