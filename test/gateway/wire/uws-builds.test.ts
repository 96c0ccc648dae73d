import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listenWithNode } from '../../../gateway/wire/node.ts'
import { unansweredBy } from '../../../gateway/wire/self-test.ts'
import type { Transport } from '../../../gateway/wire/transport.ts'
import { listenWithUws, overlooksNamelessHeaders } from '../../../gateway/wire/uws.ts'
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

t.test('what is not answered is found by asking, and `node:http` answers everything', async (t) => {
  t.strictSame(await unansweredBy(listenWithNode), [])
  const isOlder = build === '@trufflesuite/uws-js-unofficial'
  if (build !== null) t.equal((await unansweredBy(listenWithUws(build))).length, isOlder ? 6 : 0)
})

t.test('a build that hides requests behind others is found out', async (t) => {
  const trusting: Transport = (options) =>
    listenWithNode({
      ...options,
      handle: (request, to) => {
        options.handle(request, to)
        if (request.body.length > 0 || request.verb === 'POST')
          options.handle({ ...request, path: '/hidden' }, { resolve: () => {}, reject: () => {} })
      },
      refuse: (status, request) => {
        options.handle({ path: '/hidden' } as never, { resolve: () => {}, reject: () => {} })
        return options.refuse(status, request)
      },
    })
  t.match((await unansweredBy(trusting)).at(-1), /repeated or empty header names/)
})

t.test('the start says in one line what serves, and why', async (t) => {
  const forced = await startService(t, { env: { TRANSPORT: build === null ? 'auto' : 'uws' } })
  const chosen = await startService(t, { env: { TRANSPORT: 'auto', WORKERS: '1' } })
  for (const { build, reason } of passedOver) {
    t.match(forced.log(), `${build}: ${reason}`)
    t.match(chosen.log(), `${build}: ${reason}`)
  }
  const unanswered = build === null ? [] : await unansweredBy(listenWithUws(build))
  const serves = build === null || unanswered.length > 0 ? 'node:http' : versionOf(build)
  t.match(chosen.log(), `"transport":"${serves}"`)
  t.match(chosen.log(), `serving over ${serves}`)
  if (build !== null) t.match(forced.log(), `"transport":"${versionOf(build)}"`)
  if (unanswered.length > 0)
    for (const { log } of [forced, chosen]) t.match(log(), `does not answer ${unanswered.join(', ')}`)
})

t.test('a build of upstream’s own goes in front of all others, once an operator installs it', async (t) => {
  const { resolve } = createRequire(import.meta.url)
  const own = install(t, build === null ? '' : `module.exports = require(${JSON.stringify(resolve(build))})`)
  const service = await startService(t, { env: { ...own, TRANSPORT: build === null ? 'auto' : 'uws' } })
  if (build === null) t.match(service.log(), 'uWebSockets.js: it has no native file')
  else t.match(service.log(), '"transport":"uWebSockets.js@20.99.0"')
  t.equal((await fetch(`${service.origin}/healthz`)).status, 200)
})

t.test('one that does not load is passed over', async (t) => {
  const own = install(t, 'throw new Error("advice\\n\\nError: libc is too old\\nRequire stack")')
  const service = await startService(t, { env: own })
  t.match(service.log(), 'uWebSockets.js: libc is too old')
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
