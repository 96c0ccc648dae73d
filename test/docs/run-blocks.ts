import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Scope } from '../e2e/service.ts'
import { toolsFolder } from '../tools.ts'
import type { Block } from './documents.ts'

const root = resolve(import.meta.dirname, '../../..')

/** What came of the blocks of a page: an answer for each block of commands, in order. */
export type Run = {
  readonly status: number | null
  /** What each block of commands printed, by the line of its fence. */
  readonly printed: ReadonlyMap<number, string>
  readonly errors: string
}

/**
 * Does what a reader would do: saves the files of a page in a folder, and types its commands into one shell, in order.
 * The folder has the project's packages and its command line, as a checkout does.
 */
export const runBlocks = (
  t: Scope,
  blocks: readonly Block[],
  env: Readonly<Record<string, string>>,
  replace: (text: string) => string = (text) => text,
): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const name of ['node_modules', 'dist', 'package.json', 'docs'])
    symlinkSync(join(root, name), join(folder, name))
  const run = blocks.filter(({ notRun }) => notRun === null)
  for (const { fileName, text } of run) {
    if (fileName === '') continue
    mkdirSync(dirname(join(folder, fileName)), { recursive: true })
    writeFileSync(join(folder, fileName), `${replace(text)}\n`)
  }
  const path = join(folder, '.bin')
  mkdirSync(path)
  writeFileSync(join(path, 'npx'), quickNpxWith(toolsFolder()), { mode: 0o755 })
  const commands = run.filter(({ language }) => language === 'sh')
  const script = commands.flatMap(({ text, line }) => [`echo '${mark} ${line}'`, replace(text)]).join('\n')
  // What a page leaves running in the background ends with the shell, which leads a process group of its own.
  const shell = spawn('bash', ['-c', `set -euo pipefail\ntrap 'trap "" TERM; kill 0' EXIT\n${script}\n`], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PATH: `${path}:${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  shell.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  t.teardown(() => {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
  })
  return new Promise((done) => {
    shell.once('close', (status) => done({ status, printed: byLine(output), errors }))
  })
}

/**
 * What `npx` runs, without npm, which takes half a second each time (`samples.test.ts` asks npm once): the project's command line, or a
 * program of those that only tests have.
 */
const quickNpxWith = (tools: string): string => `#!/bin/sh
if [ "$1" = payments ]; then shift; exec '${process.execPath}' '${join(root, 'dist/gateway/program/main.js')}' "$@"; fi
for bin in '${join(tools, 'node_modules/.bin')}' '${join(root, 'node_modules/.bin')}'; do
  if [ -x "$bin/$1" ]; then program=$bin/$1; shift; exec "$program" "$@"; fi
done
PATH=\${PATH#*:} exec npx "$@"
`

const mark = '@@ block of line'

const byLine = (output: string): Map<number, string> =>
  new Map(
    output.split(`${mark} `).flatMap((part) => {
      const [, line, text] = /^(\d+)\n([\s\S]*)$/.exec(part) ?? []
      return line === undefined ? [] : [[Number(line), text!] as const]
    }),
  )

/**
 * How what was printed differs from what the page shows; null where it does not. `…` stands for anything within a line,
 * a line of `…` alone for any number of lines. An answer in JSON may have more members than the page shows.
 */
export const difference = (shown: Block, printed: string): string | null => {
  if (shown.language === 'json') {
    const expected = JSON.parse(
      shown.text.replace(/^\s*…\s*$/gm, '').replace(/,(\s*[}\]])/g, '$1'),
    ) as unknown
    return differenceOfValues(expected, JSON.parse(printed), '')
  }
  const pattern = shown.text
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[\\s\\S]*' : line.trimEnd().split('…').map(literal).join('.*')))
    .join('\\s*\\n\\s*')
  return new RegExp(`^\\s*${pattern}\\s*$`).test(printed)
    ? null
    : `printed:\n${printed}\nshown:\n${shown.text}`
}

const differenceOfValues = (expected: unknown, actual: unknown, path: string): string | null => {
  if (typeof expected === 'string' && typeof actual === 'string') {
    const pattern = new RegExp(`^${expected.split('…').map(literal).join('[\\s\\S]*')}$`)
    return pattern.test(actual)
      ? null
      : `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return Object.is(expected, actual)
      ? null
      : `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length)
    return `${path}: ${actual.length} items instead of ${expected.length}`
  for (const [name, value] of Object.entries(expected)) {
    if (!(name in actual)) return `${path}.${name} is absent`
    const found = differenceOfValues(value, (actual as Record<string, unknown>)[name], `${path}.${name}`)
    if (found !== null) return found
  }
  return null
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
