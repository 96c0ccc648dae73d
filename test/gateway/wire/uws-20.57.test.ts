import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { unansweredBy } from '../../../gateway/wire/self-test.ts'
import { nodeOnNewerGlibc } from '../../newer-glibc.ts'
import { testTransport } from './transport-suite.ts'
import { transportOf, whyNot } from './transports.ts'

const reason = whyNot('uws-20.57')
if (reason === null) {
  testTransport('uws-20.57', true)
  t.test('uws-20.57: it is chosen, because it answers every request', async (t) =>
    t.strictSame(await unansweredBy(transportOf('uws-20.57')), []),
  )
} else if (reason.includes('GLIBC')) {
  // On the C library that it needs: this file, and what else sees the service from outside.
  const here = import.meta.dirname
  const files = [
    import.meta.filename,
    ...['api', 'smuggling'].map((name) => join(here, `../../e2e/${name}.test.js`)),
  ]
  for (const file of files)
    t.test(`uws-20.57: ${file} on a newer C library`, async (t) => {
      const { failed, output } = await run(nodeOnNewerGlibc(), file)
      t.notOk(failed, output.slice(-20_000))
      t.match(output, /ok 1 .*uws/)
    })
} else
  t.test(`uws-20.57: not with Node ${process.version}`, async (t) => t.match(reason, /Cannot find module/))

/** Runs a test file. */
function run(command: string, file: string): Promise<{ failed: boolean; output: string }> {
  const env = { ...process.env, TRANSPORT: 'uws' }
  return new Promise((resolve) => {
    execFile(command, [file], { env, maxBuffer: Number.POSITIVE_INFINITY }, (error, output, errors) =>
      resolve({ failed: error !== null, output: output + errors }),
    )
  })
}
