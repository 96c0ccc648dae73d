import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { newMerchant, oneWorker, type Scope, startService } from '../e2e/service.ts'
import { openWorkerSession } from './worker-session.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A function that was entered. */
export type Entered = { readonly file: string; readonly name: string }

/**
 * Every function that a worker enters for a PIX charge that is not the first, from its bytes on the socket to the write of its journal
 * entry, in order: the shortest way of several equal charges, because timers of the worker can come between. The program is a copy whose
 * functions say that they are entered.
 */
export const recordWay = async (t: Scope): Promise<readonly Entered[]> => {
  const copy = mkdtempSync(join(tmpdir(), 'payments-way-'))
  t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of ['node_modules', 'docs', 'package.json']) symlinkSync(join(root, name), join(copy, name))
  const functions: Entered[] = []
  for (const name of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!/^(engine|gateway|persistence)\//.test(name)) continue
    if (/^gateway\/(program|dashboard)\//.test(name)) continue
    const target = join(copy, 'dist', name)
    if (!name.endsWith('.js')) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, instrumented(name, readFileSync(join(root, 'dist', name), 'utf8'), functions))
  }
  cpSync(join(root, 'dist/gateway/dashboard'), join(copy, 'dist/gateway/dashboard'), { recursive: true })
  const service = await startService(t, {
    env: { ...oneWorker, NODE_OPTIONS: '--inspect=127.0.0.1:0' },
    program: join(copy, 'dist/gateway/runtime/main.js'),
  })
  const { call } = await newMerchant(service)
  const charge = () => call('POST', '/v1/pix/charges', { amount: 1990 }, { 'Idempotency-Key': `${++keys}` })
  let keys = 0
  // What is made once is made by the first.
  await charge()
  const worker = await openWorkerSession(service, () => {})
  const evaluate = async (expression: string) =>
    (await worker.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  const ways: (readonly Entered[])[] = []
  for (let n = 0; n < 5; n++) {
    await evaluate('globalThis.entered = []')
    await charge()
    const entered = (await evaluate('globalThis.entered')) as number[]
    ways.push(fromSocketToJournal(withoutHelpers(entered, functions)))
  }
  return ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest))
}

const fromSocketToJournal = (way: readonly Entered[]): readonly Entered[] => {
  const from = way.findIndex(({ file }) => /^gateway\/wire\/(uws|exchange)\.ts$/.test(file))
  const to = way.findIndex(({ file, name }) => file === 'persistence/journal/journal.ts' && name === 'write')
  if (from < 0 || to < from)
    throw new Error('the way of a charge does not lead from the socket to the journal')
  return way.slice(from, to + 1)
}

/**
 * The functions that lead to another file. One that enters none but the tools of all is a helper: its name says what a reader of the way
 * needs, however it is divided.
 */
const withoutHelpers = (entered: readonly number[], functions: readonly Entered[]): readonly Entered[] => {
  const leads = new Set<number>()
  const open: number[] = []
  for (const [at, n] of entered.entries()) {
    if (n < 0) open.pop()
    else {
      if (!isTool(functions[n]!))
        for (const above of open)
          if (functions[entered[above]!]!.file !== functions[n]!.file) leads.add(above)
      open.push(at)
    }
  }
  return entered.flatMap((n, at) => (leads.has(at) && !isTool(functions[n]!) ? [functions[n]!] : []))
}

/** Vocabulary and small tools of all, which a reader need not open. */
const isTool = ({ file }: Entered): boolean => /\/(shared|base)\//.test(file)

/** A compiled file whose functions add their number to `globalThis.entered` where it is there. */
const instrumented = (name: string, code: string, functions: Entered[]): string => {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true)
  const file = name.replace(/\.js$/, '.ts')
  const insertions: (readonly [at: number, text: string])[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.Node
      const enter = `globalThis.entered?.push(${functions.length})`
      const leave = 'globalThis.entered?.push(-1)'
      functions.push({ file, name: nameOf(node, source) })
      if (ts.isBlock(body))
        insertions.push([body.getStart(source) + 1, `${enter};try{`], [body.end - 1, `}finally{${leave}}`])
      else
        insertions.push([body.getStart(source), `{${enter};try{return (`], [body.end, `)}finally{${leave}}}`])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  let result = ''
  let last = 0
  // At one place what ends comes before what begins.
  for (const [at, insertion] of insertions
    .map((one, n) => [...one, n] as const)
    .sort((a, b) => a[0] - b[0] || a[2] - b[2])) {
    result += code.slice(last, at) + insertion
    last = at
  }
  return result + code.slice(last)
}

const nameOf = (node: ts.SignatureDeclaration, source: ts.SourceFile): string => {
  const named = node.name ?? (node.parent as { name?: ts.Node }).name
  return named?.getText(source) ?? ''
}
