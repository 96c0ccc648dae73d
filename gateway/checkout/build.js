import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/**
 * Builds the scripts and styles of the pages where payers pay: the type check, then a file for each in `dist/gateway/payment-pages/`, whose name has a
 * hash of its content, also packed by gzip and brotli. Does nothing if nothing has changed.
 */
const root = resolve(import.meta.dirname, '../..')
const source = join(import.meta.dirname, 'browser')
// What the scripts say in the words of the pages.
const texts = join(import.meta.dirname, 'texts')
const out = join(root, 'dist/gateway/payment-pages')
const manifestPath = join(out, 'manifest.json')

const changedAtMs = Math.max(
  ...[source, texts].flatMap((folder) =>
    readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs),
  ),
  statSync(import.meta.filename).mtimeMs,
)
if (!existsSync(manifestPath) || statSync(manifestPath).mtimeMs <= changedAtMs) await build()

async function build() {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', source], {
    stdio: 'inherit',
  })
  const { build } = await import('esbuild')
  const built = await build({
    absWorkingDir: root,
    entryPoints: ['page.ts', 'tokenizer.ts', 'embed.ts', 'styles.css', 'tokenizer.css'].map((name) =>
      join(source, name),
    ),
    outdir: `${out}.new`,
    entryNames: '[name].[hash]',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome87', 'firefox78', 'safari14'],
    // What old Safari gets wrong of it, no script here uses.
    supported: { destructuring: true },
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'warning',
    write: false,
  })
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const { path, contents } of built.outputFiles) {
    const file = join(out, basename(path))
    writeFileSync(file, contents)
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(contents))
  }
  const names = Object.entries(built.metafile.outputs).map(([path, { entryPoint }]) => [
    basename(entryPoint).replace(/\.ts$/, '.js'),
    basename(path),
  ])
  writeFileSync(manifestPath, JSON.stringify(Object.fromEntries(names)))
}
