import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/**
 * Builds the dashboard, after the service was compiled: types from the service's own OpenAPI document, then the type check, then
 * one bundle in files whose names have a hash of their content, each also packed by gzip and brotli. Does nothing if nothing has changed. With `--watch` it builds at each
 * change from now on.
 */
const root = resolve(import.meta.dirname, '../..')
const compiled = join(root, 'dist/gateway')
const generated = join(root, 'dist/dashboard')
const out = join(compiled, 'dashboard')
const manifestPath = join(out, 'manifest.json')

/**
 * Home is a file of its own, which a browser loads first, and all other pages are one: a file for each would be sixty, of which many hold
 * a few lines that two pages share.
 */
const otherPages = {
  name: 'other pages',
  setup: (build) => {
    const folder = join(import.meta.dirname, 'pages')
    build.onResolve({ filter: /\.tsx$/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && importer === join(folder, 'index.ts') && path !== './home.tsx'
        ? { path: 'pages', namespace: 'other-pages' }
        : null,
    )
    build.onLoad({ filter: /^pages$/, namespace: 'other-pages' }, () => {
      const table = readFileSync(join(folder, 'index.ts'), 'utf8')
      const paths = new Set(table.match(/(?<=import\(')[^']+(?='\))/g))
      paths.delete('./home.tsx')
      return {
        contents: Array.from(paths, (path) => `export * from '${path}'\n`).join(''),
        resolveDir: folder,
      }
    })
  },
}

if (process.argv.includes('--watch')) buildAtChanges()
else await buildIfChanged()

/** Builds in a process of its own, which imports the service as it was just compiled. */
function buildAtChanges() {
  let timer
  const onChange = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const before = builtAtMs()
      spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit' })
      if (builtAtMs() === before) return
      // The service knows the names of the files since its start, and `node --watch` starts it again when a module of it changes.
      const now = new Date()
      utimesSync(join(compiled, 'api/dashboard-pages.js'), now, now)
    }, 200)
  }
  watch(import.meta.dirname, { recursive: true }, onChange)
  watch(join(root, 'dist/.tsbuildinfo'), onChange)
}

function builtAtMs() {
  return existsSync(manifestPath) ? statSync(manifestPath).mtimeMs : 0
}

async function buildIfChanged() {
  const changedAtMs = Math.max(newest(import.meta.dirname), statSync(join(root, 'dist/.tsbuildinfo')).mtimeMs)
  if (builtAtMs() <= changedAtMs) await run()
}

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => statSync(join(item.parentPath, item.name)).mtimeMs),
  )
}

async function run() {
  mkdirSync(generated, { recursive: true })
  await generate()
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', import.meta.dirname],
    { stdio: 'inherit' },
  )
  const { build } = await import('esbuild')
  const built = await build({
    absWorkingDir: root,
    entryPoints: ['main.tsx', 'theme.ts', 'styles.css'].map((name) => join(import.meta.dirname, name)),
    outdir: `${out}.new`,
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'warning',
    write: false,
    plugins: [otherPages],
  })
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const { path, contents } of built.outputFiles) {
    const file = join(out, basename(path))
    writeFileSync(file, contents)
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(contents))
  }
  const { outputs } = built.metafile
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint?.startsWith('gateway/dashboard/') ? [[basename(entryPoint), basename(path)]] : [],
  )
  const first = new Set()
  const follow = (path) => {
    first.add(path)
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === 'import-statement' && !first.has(next)) follow(next)
  }
  for (const path of Object.keys(outputs))
    if (/\/(main|home)\.tsx$/.test(outputs[path].entryPoint ?? '')) follow(path)
  const manifest = { ...Object.fromEntries(entries), first: Array.from(first, (path) => basename(path)) }
  writeFileSync(manifestPath, JSON.stringify(manifest))
}

/** The document without minimal answers: the dashboard never asks for one. */
function wholeAnswers(document) {
  return JSON.stringify(
    JSON.parse(document, (_, value) =>
      value?.anyOf?.[1]?.$ref?.endsWith('Minimal') ? value.anyOf[0] : value,
    ),
  )
}

/** What the dashboard takes from the service: the types of its API, the steps of a transaction, the names of payment methods and of lines of a statement, and what the Sandbox can be made to do. */
async function generate() {
  const { openApiDocument } = await import(join(compiled, 'openapi/document.js'))
  const { routes } = await import(join(compiled, 'routes/index.js'))
  const { sandboxGuide } = await import(join(compiled, 'sandbox/guide.js'))
  const { methods } = await import(join(compiled, '../engine/payments/methods/index.js'))
  const { statementTypeNames } = await import(join(compiled, '../engine/statement/line.js'))
  const { kinds } = await import(join(compiled, '../engine/registry.js'))
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  const document = openApiDocument(routes, '')
  const documentPath = join(generated, 'openapi.json')
  if (!existsSync(documentPath) || readFileSync(documentPath, 'utf8') !== document) {
    writeFileSync(join(generated, 'api.ts'), astToString(await openapiTypes(wholeAnswers(document))))
    writeFileSync(documentPath, document)
  }
  // The table of what each fact publishes names them all, which the document does not.
  const types = Object.keys(kinds.transaction.publishes).map((type) => `'${type}'`)
  writeFileSync(join(generated, 'timeline.ts'), `export type TimelineStepType = ${types.join(' | ')}\n`)
  // A browser loads that of one language, with its texts.
  for (const language of ['pt', 'en']) {
    const names = Object.entries(methods).map(([method, { names }]) => [method, names[language]])
    const rails = Object.values(methods).map(({ rail, names, railNames = names }) => [
      rail,
      railNames[language],
    ])
    const steps = Object.values(methods).flatMap(({ stepNames }) => Object.entries(stepNames))
    const values = {
      sandboxGuide: sandboxGuide(language),
      methodNames: Object.fromEntries(names),
      railNames: Object.fromEntries(rails),
      stepNames: Object.fromEntries(steps.map(([type, names]) => [type, names[language]])),
      statementTypeNames: statementTypeNames[language],
    }
    writeFileSync(
      join(generated, `texts-${language}.ts`),
      Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
        .join(''),
    )
  }
}
