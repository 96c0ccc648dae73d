import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

/** Bundled tests find out by `test/test-domain.js` whose an error is that nothing has caught: here it is the test that must fail. */
const root = resolve(import.meta.dirname, '../../..')

/** Runs a bundled test file, and gives its lines that say how each test ended. */
const endOf = async (t: Test, name: string, source: string): Promise<string[]> => {
  const folder = join(root, 'node_modules/.cache', `uncaught-${name}-${process.pid}`)
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'one.js'), `import t from 'tap'\n${helpers}${source}`)
  const { bundle } = await import(pathToFileURL(join(root, 'test/bundle.js')).href)
  await bundle([join(folder, 'one.js')], join(folder, 'bundled'), folder)
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'bundled/one.js')], {
    encoding: 'utf8',
    env: { ...process.env, TAP_TIMEOUT: '60' },
  })
  t.equal(status, source.includes('nothing is wrong') ? 0 : 1)
  return stdout
    .split('\n')
    .filter((line) => /^(not )?ok /.test(line))
    .map((line) => line.replace(/^(not ok|ok) \d+ - ([^#]*).*$/, '$1 $2').trim())
}

const helpers = `
const waitMs = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const never = new Promise(() => undefined)
const isBroken = () => { throw new Error('broken') }
`

t.test('an error in a timer fails the test that runs, and not one that waits for its turn', async (t) => {
  const ends = await endOf(
    t,
    'timer',
    `t.test('first', async (t) => { t.ok(1) })
t.test('breaks', async (t) => { setTimeout(isBroken, 1); await never })
t.test('last', async (t) => { t.ok(1) })`,
  )
  t.strictSame(ends.slice(0, 2), ['ok first', 'not ok breaks'])
  t.ok(ends.includes('ok last'))
})

t.test('so does a promise that is rejected, in a test within a test', async (t) => {
  const ends = await endOf(
    t,
    'rejected',
    `t.test('breaks', async (t) => {
  await t.test('within', async () => { Promise.reject(new Error('broken')); await waitMs(100) })
})
t.test('last', async (t) => { t.ok(1) })`,
  )
  t.equal(ends[0], 'not ok breaks')
  t.ok(ends.includes('ok last'))
})

t.test('an error after every test has ended fails the file', async (t) => {
  const ends = await endOf(t, 'late', `t.test('ends', async (t) => { setTimeout(isBroken, 50); t.ok(1) })`)
  t.equal(ends[0], 'ok ends')
  t.ok(ends.some((end) => end.startsWith('not ok')))
})

t.test('a test that listens for errors has them to itself', async (t) => {
  const ends = await endOf(
    t,
    'own',
    `t.test('nothing is wrong', async (t) => {
  const caught = new Promise((resolve) => process.once('uncaughtException', resolve))
  setTimeout(isBroken, 1)
  t.equal((await caught).message, 'broken')
})`,
  )
  t.strictSame(ends, ['ok nothing is wrong'])
})
