import { execFileSync } from 'node:child_process'
import t from 'tap'
import { version } from '../../gateway/base/version.ts'
import { openLibrary } from '../../gateway/docs/library.ts'
import { portsFrom } from '../../gateway/local-cluster/ports.ts'
import { everyScope } from '../e2e/examples/play.ts'
import { newDataDir, newMerchant, startService } from '../e2e/service.ts'
import { blocksOf, readDocument } from './documents.ts'
import { requireProgram } from './programs.ts'
import { difference, runBlocks } from './run-blocks.ts'

/** What the samples use beside a shell. */
for (const program of ['curl', 'jq']) requireProgram([program, '--version'], program)

/** PAGE=transactions node dist/test/docs/samples.test.js runs one page alone. */
const only = process.env.PAGE

/** The pages with commands: whoever has the lines that a first start prints goes through them. */
const pages = openLibrary()
  .contents.flatMap(({ pages }) => pages)
  .filter((slug) => only === undefined || slug === only)
  .map((slug) => ({ slug, blocks: blocksOf(readDocument(`en/${slug}.md`)) }))
  .filter(({ blocks }) => blocks.some(({ language, notRun }) => language === 'sh' && notRun === null))

t.test('npx finds the command line of a checkout', async (t) => {
  // As for somebody who has just cloned it: npx keeps where it found the program of a folder.
  const env = { ...process.env, npm_config_cache: newDataDir(t) }
  t.equal(execFileSync('npx', ['payments', '--version'], { encoding: 'utf8', env }).trim(), version)
})

t.test('every command and program of the documentation works as it stands', async (t) => {
  const service = await startService(t, { env: { DEMO: 'true' } })
  await service.logged('The documentation is at')
  const told = exportsIn(service.log())
  for (const { slug, blocks } of pages) {
    await t.test(slug, async (t) => {
      // A page may count what there is, and move the clock: to its reader the company is new.
      const { company, key } = await newMerchant(service, { scopes: everyScope })
      const [receiver] = await portsFrom(0, 1)
      const replace = (text: string): string =>
        text
          .replace(/^export API=.*$/m, '')
          .replace(/^export KEY=.*$/m, '')
          .replace(/^export COMPANY=.*$/m, '')
          .replaceAll('127.0.0.1:9000', `127.0.0.1:${receiver}`)
          .replaceAll('listen(9000', `listen(${receiver}`)
      const env = {
        ...told,
        COMPANY: company.id,
        KEY: key.secret,
        DATA_DIR: service.dataDir,
        RECEIVER_PORT: String(receiver),
      }
      const { status, printed, errors } = await runBlocks(t, blocks, env, replace)
      t.equal(status, 0, `${slug}: ${errors.slice(-2000)}${status === 0 ? '' : [...printed].slice(-1)}`)
      blocks.forEach((block, at) => {
        const isOutput = block.language === 'json' || block.language === 'text'
        const command = blocks[at - 1]
        if (!isOutput || block.notRun !== null || command?.language !== 'sh' || command.notRun !== null)
          return
        t.equal(difference(block, printed.get(command.line) ?? ''), null, `${slug}, line ${block.line}`)
      })
    })
  }
})

/** What a shell knows of the lines that a first start prints. */
const exportsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^ {2}export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!]),
  )
