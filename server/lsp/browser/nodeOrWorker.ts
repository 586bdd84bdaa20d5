/** The extension's server, in a process of its own or in a web worker; each part is loaded only where it can run. */
if ('importScripts' in globalThis) void import('./main.ts');
else void import('../main.ts');
