import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newOwner, openBrowser, password } from './person.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

t.test('where the record of sessions is gone, no code of before counts, and one failure locks', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { dataDir } = service
  const { company } = await newMerchant(service)
  const ana = await newOwner(service, company.id, 'ana@example.com')
  const enter = async (origin: string, totp: string) => {
    const browser = openBrowser(origin)
    await browser.call('POST', '/v1/session', { email: ana.email, password })
    return browser.call('POST', '/v1/session/second-factor', { totp })
  }
  t.equal((await enter(service.origin, ana.code())).status, 200)
  // The code of the next half minute: it is one of those that are taken for as long as this test lasts.
  const code = ana.code()
  t.equal((await enter(service.origin, code)).status, 200)
  await service.kill('SIGTERM')
  rmSync(join(dataDir, 'sessions'), { recursive: true })

  const again = await startService(t, { dataDir, env: oneWorker })
  await again.logged('the record of sessions was gone')
  t.match(await enter(again.origin, code), { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } })
  // A known code counts as no failure; a guess does.
  t.equal((await enter(again.origin, '000000')).status, 403)
  again.expectLimit('TOO_MANY_ATTEMPTS')
  const { status, headers } = await enter(again.origin, code)
  t.equal(status, 429)
  t.ok(Number(headers.get('retry-after')) > 3500, 'codes are locked for an hour')

  await again.kill('SIGTERM')
  const third = await startService(t, { dataDir, env: oneWorker })
  t.notMatch(third.log(), /the record of sessions was gone/)
})
