import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type FileProcess, startFileProcess } from '../runner/file-processes.ts'

/** Several files in one process are as well separated as the runner says: each has its own outcome, and what breaks the process is seen. */
const root = resolve(import.meta.dirname, '../../..')

const sources = {
  well: `t.teardown(() => console.log('torn down'))
t.test('is well', async (t) => { t.ok(1); t.ok(2) })
t.test('is well, too', async (t) => { t.ok(3) })`,
  wrong: `t.test('is wrong', async (t) => { t.ok(1); t.equal(1, 2, 'one is two') })`,
  thrown: `throw new Error('broken at once')`,
  exits: `t.test('exits', async (t) => { t.ok(1); process.exit(0) })`,
  late: `t.test('is well', async (t) => { t.ok(1); setTimeout(() => { throw new Error('broken late') }, 1) })`,
  open: `t.test('is well', async (t) => { t.ok(1); setInterval(() => undefined, 1000) })`,
  hangs: `t.test('hangs', () => { setInterval(() => undefined, 1000); return new Promise(() => undefined) })`,
}

const bundledFiles = async (
  t: Test,
): Promise<{ program: string; path: (name: keyof typeof sources) => string }> => {
  const folder = join(root, 'node_modules/.cache', `files-${process.pid}`)
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(folder, { recursive: true })
  const files = Object.entries(sources).map(([name, source]) => {
    const file = join(folder, `${name}.js`)
    writeFileSync(file, `import t from 'tap'\n${source}`)
    return file
  })
  const { bundleFiles } = await import(pathToFileURL(join(root, 'test/bundle.js')).href)
  const program = await bundleFiles(files, join(folder, 'bundled'), folder)
  return { program, path: (name) => join(folder, 'bundled', `${name}.js`) }
}

t.test('files in one process', async (t) => {
  const { program, path } = await bundledFiles(t)
  const started = (timeoutSeconds = 600, endSeconds = timeoutSeconds): FileProcess =>
    startFileProcess(program, timeoutSeconds, endSeconds)

  await t.test('each has its own outcome, and the process ends by itself', async (t) => {
    const files = started()
    for (let n = 0; n < 2; n++) {
      const { passed, failed, output } = await files.run(path('well'))
      t.match({ passed, failed }, { passed: n === 0 ? 3 : 0, failed: 0 }, 'a module is loaded once')
      if (n === 0) t.match(output, /^ok 1 - is well[\s\S]*torn down/m)
    }
    t.ok(files.isFresh())
    t.equal(await files.end(), null)
  })

  await t.test('what failed is shown as from a process of its own, which runs no other file', async (t) => {
    const files = started()
    await files.run(path('well'))
    const { passed, failed, output } = await files.run(path('wrong'))
    t.match({ passed, failed }, { passed: 1, failed: 1 })
    t.match(output, /^ {4}not ok 2 - one is two$/m)
    t.notMatch(output, 'well')
    t.notOk(files.isFresh())
    t.equal(await files.end(), null, 'it was counted')
  })

  await t.test('one that throws, ends the process or hangs has failed', async (t) => {
    for (const name of ['thrown', 'exits'] as const) {
      const files = started()
      const { failed, output, errors } = await files.run(path(name))
      t.equal(failed, 1)
      t.match(output + errors, name === 'thrown' ? 'broken at once' : 'the process of the file ended with')
      t.notOk(files.isFresh())
      await files.end()
    }
    const files = started(2)
    const { failed, output } = await files.run(path('hangs'))
    t.ok(failed > 0)
    t.match(output, 'timeout')
    await files.end()
  })

  await t.test('what a file leaves behind fails its process', async (t) => {
    const late = started()
    await late.run(path('late'))
    const trouble = await late.end()
    t.match(trouble, /^a process ended with 1 after its files: .*late\.js/)
    const open = started(600, 1)
    t.match(await open.run(path('open')), { passed: 1, failed: 0 })
    t.match(await open.end(), /^a process ended with SIGKILL after its files: .*open\.js/)
  })
})
