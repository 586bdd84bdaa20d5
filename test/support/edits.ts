import fc from 'fast-check';

/** What a person does to a file: type, delete, paste, undo, in any place. */
const typed = fc.constantFrom(
  'x',
  ' ',
  '\n',
  '\n\n',
  '(',
  ')',
  ',',
  '"',
  "'''",
  '#',
  ':',
  '    ',
  '\t',
  '\r\n',
  '\r',
  'def f(self):\n    return 1\n',
  'class A:\n',
  '@dec\n',
  '    @dec\n',
  '    def g(self):\n        return (\n',
  'class B(A):\n    x = 1\n\n    def h(self): pass\n',
  'x = 1\n',
  '"""',
  'y = checkpoint(block, x)\n',
  '# note\n',
  'é😀',
  '\\',
  '\u0000',
  'if x:\n',
  'import os\n',
  '[',
  '}',
  '',
  '',
  '',
);
/** Strings that look like definitions, decorators, and brackets that go on at the beginning of a line. */
export const deceptive = `"""Usage:
def f(x):
    """

@one
@two(
    1,
)
class A:
    """doc"""

    def g(self):
        return [
1,
]

s = '''
class B:
'''
# it's
async def h():
    await k("'")

class C: pass


def last(): return f"{s!r}"
`;
export const edit = fc.record({ at: fc.nat(), removed: fc.oneof(fc.nat(3), fc.nat(400)), text: typed });

export function apply(
  text: string,
  { at, removed, text: inserted }: { at: number; removed: number; text: string },
): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + inserted + text.slice(start + removed);
}
