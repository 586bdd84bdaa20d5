/**
 * A reporter for `node --test` that writes one JSON line for each test that ended: the format every suite of this
 * project reports in, see results.mjs. A `describe` is no test and is not counted.
 */
async function* nodeReporter(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' && type === 'test:pass') continue;
    const isSkipped = (data.skip ?? data.todo) !== undefined && (data.skip ?? data.todo) !== false;
    const status = isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    // A suite fails because of its tests, which are counted themselves, unless one of its hooks failed.
    const failure = data.details.error;
    if (data.details.type === 'suite' && failure?.failureType === 'subtestsFailed') continue;
    const error = status === 'failed' ? String(failure?.cause?.stack ?? failure?.cause ?? failure) : undefined;
    const seconds = Math.round(data.details.duration_ms) / 1000;
    yield `${JSON.stringify({ name: data.name, status, seconds, error })}\n`;
  }
}

// Node takes a reporter from the default export only.
// biome-ignore lint/style/noDefaultExport: see above
export default nodeReporter;
