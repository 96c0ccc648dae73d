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

t.test('the line that `npm run rails` prints makes a charge of Production and pays it', async (t) => {
  const output = await printed(t)
  const typed = output.split('\n').filter((line) => /^ {2}(export|CHARGE=)/.test(line))
  t.equal(typed.length, 4)
  const { stdout } = await promisify(execFile)('bash', ['-c', typed.join('\n')])
  t.match(JSON.parse(stdout), { status: 'APPROVED', paidAmount: '1990', pix: { endToEndId: /^E/ } })
})

t.test('a bank that is not there is refused with those that are', async (t) => {
  await t.rejects(printed(t, '--bank', 'nobank'), { message: /there is no bank nobank: .*efi/ })
})
