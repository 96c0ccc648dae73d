import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * Bundles the compiled service into `dist/gateway/program/`: one script, with V8's cache of its code (`load-program.cjs`), and a file for each
 * thread and process to begin with. A start reads 5 files instead of 1,500 and compiles little, which takes less than half the processor
 * time on each thread. Does nothing if nothing was compiled since.
 */
const root = resolve(import.meta.dirname, '../..')
const compiled = join(root, 'dist')
const out = join(compiled, 'gateway/program')

// What a thread or a process of its own starts with. The bundle is flat: modules find these beside themselves, as they do unbundled.
const entries = {
  main: 'gateway/runtime/main.js',
  'transactions-csv-thread': 'gateway/runtime/transactions-csv-thread.js',
  'http-thread': 'gateway/providers/http/http-thread.js',
  'text-thread': 'gateway/docs/text-thread.js',
  'backup-process': 'persistence/backup/backup-process.js',
  'hold-thread': 'persistence/home/hold-thread.js',
  'verify-thread': 'persistence/verify/verify-thread.js',
}
/** What is loaded by a command, and by a start as well: whose code is in the caches. In this order: code that was once compiled stays. */
const cached = {
  command: ['gateway/operator/command-line/program.js', 'gateway/base/version.js'],
  service: ['gateway/runtime/start.js', 'gateway/runtime/worker.js'],
}

// Packages with a part of machine code, those that look for their own files, and those that are loaded when they are first needed.
export const leftOut = [
  ...['@btc-vision/*', '@node-rs/*', '@trufflesuite/*', 'lmdb', 'msgpackr'],
  'highlight.js',
  ...['@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources', '@opentelemetry/sdk-trace'],
  ...['@simplewebauthn/*', '@zxcvbn-ts/*', 'hash-wasm', 'nodemailer', 'pdfkit', 'undici'],
]

const builtAtMs = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)
if (builtAtMs(join(out, 'main.js')) <= builtAtMs(join(compiled, '.tsbuildinfo'))) await bundle()

async function bundle() {
  const { build } = await import('esbuild')
  const made = `${out}.new`
  rmSync(made, { recursive: true, force: true })
  const loaded = (path) => `import(${JSON.stringify(join(compiled, path))})`
  const begun = Object.entries(entries).map(([name, path]) => `'${name}': () => ${loaded(path)}`)
  const warmed = Object.entries(cached).map(
    ([kind, paths]) => `${kind}: () => Promise.all([${paths.map(loaded)}])`,
  )
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `module.exports = { ${[...begun, ...warmed]} }`,
      resolveDir: root,
    },
    outfile: join(made, 'program.js'),
    bundle: true,
    format: 'cjs',
    charset: 'ascii',
    platform: 'node',
    target: 'node20.19',
    external: leftOut,
    // `import()` in such a script fails on worker threads of Node 20: packages that are left out are required when they are needed.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  })
  writeFileSync(join(made, 'package.json'), '{ "type": "commonjs" }\n')
  copyFileSync(join(import.meta.dirname, 'load-program.cjs'), join(made, 'load-program.js'))
  for (const name of Object.keys(entries))
    writeFileSync(
      join(made, `${name}.js`),
      `#!/usr/bin/env -S node --v8-pool-size=1\nrequire('./load-program.js').load().entries['${name}']()\n`,
    )
  chmodSync(join(made, 'main.js'), 0o755)
  const { cacheFileOf, load } = createRequire(import.meta.url)(join(made, 'load-program.js'))
  const { entries: parts, script } = load()
  for (const kind of Object.keys(cached)) {
    await parts[kind]()
    writeFileSync(cacheFileOf(kind), script.createCachedData())
  }
  // Whole, or not there: a bundle without its caches would be taken for a finished one.
  rmSync(out, { recursive: true, force: true })
  renameSync(made, out)
}
