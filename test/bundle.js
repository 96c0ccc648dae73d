import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { leftOut } from '../gateway/runtime/bundle.js'

/**
 * Bundles what tests start: the programs that are compositions of the service of their own, and the test files themselves. Each of their
 * processes and threads would otherwise read some hundreds of files before it begins, which takes half a second of processor time.
 */
const root = resolve(import.meta.dirname, '..')
const compiled = join(root, 'dist/test')

const programs = ['banked-main', 'connected-main', 'failing-main', 'held-main', 'killed-main'].map((name) =>
  join(compiled, `e2e/${name}.js`),
)

/** Where the bundled programs are, for `startService`. */
const programFolder = join(compiled, 'programs')
/** Where the bundled test files are, by the names that they have in `dist/test`. */
const testFolder = join(root, 'dist/bundled-tests')

const isNewer = (file) =>
  existsSync(file) &&
  ['dist/.tsbuildinfo', 'dist/test/.tsbuildinfo'].every(
    (built) => statSync(file).mtimeMs > statSync(join(root, built)).mtimeMs,
  )

/** Places of modules are those of the files that they come from: what they start or read is found from there. */
const places = {
  name: 'places',
  setup: (build) => {
    build.onLoad({ filter: /\/(dist|node_modules\/(tap|@tapjs))\/.*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta')) return
      // A program tells its threads to begin with itself, bundled.
      const url = programs.includes(path) ? 'import.meta.url' : JSON.stringify(pathToFileURL(path).href)
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', url)
      return { contents, loader: 'js' }
    })
  },
}

/** Files that run in one process have a test of their own each, where they ask for tap’s. */
const tapOfFile = join(compiled, 'runner/tap-of-file.js')
const runFiles = join(compiled, 'runner/run-files.js')
const tapOfFiles = {
  name: 'tap-of-files',
  setup: (build) => {
    build.onResolve({ filter: /^tap$/ }, ({ importer }) =>
      [tapOfFile, runFiles].includes(importer) ? undefined : { path: tapOfFile },
    )
  },
}

export const bundle = async (entryPoints, outdir, outbase, plugins = []) => {
  const { build } = await import('esbuild')
  rmSync(outdir, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outbase,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: [...leftOut, ...packagesOfTests],
    alias: { 'async-hook-domain': join(root, 'test/test-domain.js') },
    plugins: [places, ...plugins],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  })
}

// Those that only tests use, of which each is used by few, or looks for its own files. Every test loads `tap`.
const packagesOfTests = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies,
)
  .filter((name) => name !== 'tap')
  .flatMap((name) => [name, `${name}/*`])

export const bundlePrograms = async () => {
  if (!isNewer(join(programFolder, 'killed-main.js')))
    await bundle(programs, programFolder, join(compiled, 'e2e'))
}

/** Bundles files for the process that runs them, which is put beside them; gives where that one is. */
export const bundleFiles = async (files, outdir, outbase) => {
  const entries = files.map((file) => ({ in: file, out: relative(outbase, file).replace(/\.js$/, '') }))
  await bundle([...entries, { in: runFiles, out: 'run-files' }], outdir, outbase, [tapOfFiles])
  return join(outdir, 'run-files.js')
}

/** Bundles compiled test files, and gives where each is then, and where the program is that runs them. */
export const bundleTests = async (files) => {
  const paths = files.map((file) => resolve(file))
  const program = await bundleFiles(paths, testFolder, compiled)
  return { program, files: paths.map((path) => relative(root, path.replace(compiled, testFolder))) }
}

if (process.argv[1] === import.meta.filename) await bundlePrograms()
