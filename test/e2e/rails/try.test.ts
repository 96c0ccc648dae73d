import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const run = join(import.meta.dirname, '../../rails/run.js')

/** Resolves with what the program prints once it has printed all. */
const printed = async (t: Test, ...args: string[]): Promise<string> => {
  const child = spawn(process.execPath, [run, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  t.teardown(() => {
    child.kill('SIGTERM')
    return ended
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk
      if (output.includes('connections list')) resolve(output)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(output)))
  })
}

t.test('what `npm run rails` prints is typed line by line, and each does what it says', async (t) => {
  const output = await printed(t)
  const typed = output.split('\n').filter((line) => /^ {2}\S/.test(line))
  t.equal(typed.length, 8)
  const { stdout } = await promisify(execFile)('bash', ['-c', typed.join('\n')])
  const [paid, refunded, sent, silent, answered, ...others] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(paid, { status: 'APPROVED', paidAmount: '1990', endToEndId: /^E/ })
  t.strictSame(refunded, { status: 'PARTIALLY_REFUNDED', refundedAmount: '500' })
  t.match(sent, { status: 'COMPLETED', amount: '8000', endToEndId: /^E/ })
  t.strictSame(silent, { status: 'CREATED', copyPaste: null })
  t.strictSame(answered, { status: 'PENDING', hasCode: true })
  t.strictSame(others, [])
})

t.test('a bank that sends no PIX has no line for it', async (t) => {
  const output = await printed(t, '--bank', 'itau')
  t.notMatch(output, /sends a PIX/)
  t.match(output, /Refund a part of it/)
})

t.test('a bank that is not there is refused with those that are', async (t) => {
  await t.rejects(printed(t, '--bank', 'nobank'), { message: /there is no bank nobank: .*efi/ })
})
