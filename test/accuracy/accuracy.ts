import { printSection } from './print.ts';
import { speed } from './sections/speed.ts';
import { accuracySections } from './sections.ts';

const sections = [...accuracySections(), speed()];
for (const section of sections) printSection(section, process.argv.includes('--rows'));
const missed = sections.flatMap(({ bars }) => bars).filter(({ passed }) => !passed);
console.log(missed.length === 0 ? '\nEvery bar is reached.' : `\n${missed.length} bars are missed.`);
process.exit(missed.length === 0 ? 0 : 1);
