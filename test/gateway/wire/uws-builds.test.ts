import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { overlooksNamelessHeaders } from '../../../gateway/wire/uws.ts'
import { chooseUws, loadUws, uwsBuilds, versionOf, whyNotUws } from '../../../gateway/wire/uws-builds.ts'
import { newDataDir, refusedStart, startService } from '../../e2e/service.ts'

const { build, passedOver } = chooseUws()

t.test('builds are tried in a fixed order, and each that is passed over has a reason (H33)', async (t) => {
  const tried = [...passedOver.map(({ build }) => build), ...(build === null ? [] : [build])]
  t.strictSame(tried, uwsBuilds.slice(1, 1 + tried.length), 'nothing installs one of upstream’s by itself')
  for (const { build, reason } of passedOver) t.match(reason, /GLIBC_2|Cannot find module/, build)
  if (build !== null) t.match(versionOf(build), new RegExp(`^${build}@20\\.\\d+\\.`))
  t.equal(whyNotUws('uWebSockets.js'), 'it is not installed')
})

t.test('the start says which build serves, and why others do not', async (t) => {
  const service = await startService(t)
  t.match(service.log(), `"transport":"${build === null ? 'node:http' : versionOf(build)}"`)
  for (const { build, reason } of passedOver)
    t.match(service.log(), `"build":"${build}","reason":${JSON.stringify(reason)}`)
})

t.test('a build of upstream’s own goes in front of all others, once an operator installs it', async (t) => {
  const { resolve } = createRequire(import.meta.url)
  const own = install(t, build === null ? '' : `module.exports = require(${JSON.stringify(resolve(build))})`)
  const service = await startService(t, { env: own })
  if (build === null) t.match(service.log(), '"build":"uWebSockets.js","reason":"it has no native file"')
  else t.match(service.log(), '"transport":"uWebSockets.js@20.99.0"')
  t.equal((await fetch(`${service.origin}/healthz`)).status, 200)
})

t.test('one that does not load is passed over', async (t) => {
  const own = install(t, 'throw new Error("advice\\n\\nError: libc is too old\\nRequire stack")')
  const service = await startService(t, { env: own })
  t.match(service.log(), '"build":"uWebSockets.js","reason":"libc is too old"')
  t.equal((await fetch(`${service.origin}/healthz`)).status, 200)
})

t.test('where a native build is wanted and none loads, nothing starts', async (t) => {
  // As on a Node that no build knows.
  const change =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, modules: "999" } })'
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(change)}` }
  const { code, output } = await refusedStart({ ...env, TRANSPORT: 'uws', DATA_DIR: newDataDir(t) })
  t.equal(code, 1)
  t.match(output, /TRANSPORT=uws cannot be used: .*uws_\w+_999\.node/)
})

t.test(
  'whether a build overlooks headers is asked of the build itself',
  { skip: build === null },
  async (t) => {
    const uws = loadUws(build!)
    t.equal(await overlooksNamelessHeaders(uws), true)
    const strict = {
      ...uws,
      App: () => {
        const app = uws.App()
        // Closes without a word, as upstream does by now.
        return Object.assign(app, { any: () => app.get('/*', (res) => void res.close()) })
      },
    }
    t.equal(await overlooksNamelessHeaders(strict), false)
  },
)

/** As a folder of modules beside the service's own: what `npm install` makes of it. */
const install = (t: Test, text: string, ...names: string[]): { NODE_PATH: string } => {
  const modules = newDataDir(t)
  for (const name of names.length === 0 ? ['uWebSockets.js'] : names) {
    mkdirSync(join(modules, name), { recursive: true })
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, version: '20.99.0' }))
    writeFileSync(join(modules, name, 'index.js'), text)
  }
  return { NODE_PATH: modules }
}
