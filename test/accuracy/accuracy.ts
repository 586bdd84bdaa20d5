import { printSection } from './print.ts';
import { accuracyTable, writeTable } from './readme.ts';
import { rivals } from './sections/sideBySide.ts';
import { speed } from './sections/speed.ts';
import { accuracySections } from './sections.ts';

const sections = [...accuracySections(), speed()];
for (const section of sections) printSection(section, process.argv.includes('--rows'));
if (process.argv.includes('--write')) {
  const isWritten = writeTable('README.md', accuracyTable(sections, rivals()));
  console.log(
    isWritten ? '\nREADME.md has the table.' : '\nREADME.md has no <!-- accuracy:start --> … <!-- accuracy:end -->.',
  );
}
const missed = sections.flatMap(({ bars }) => bars).filter(({ passed }) => !passed);
console.log(missed.length === 0 ? '\nEvery bar is reached.' : `\n${missed.length} of the bars are missed.`);
process.exit(missed.length === 0 ? 0 : 1);
