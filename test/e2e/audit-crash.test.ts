import t from 'tap'
import { shareKillable } from './killable.ts'
import { type Browser, openBrowser, password } from './person.ts'
import { type Service, until } from './service.ts'

/** kill -9 between what people do and the shards that are told of it: they are told once, after the next start. */

const { withOwner, killedAt } = shareKillable(t)

const entriesOf = async (browser: Browser, action: string): Promise<any[]> =>
  (await browser.call('GET', '/v1/audit?pageSize=200')).body.data.filter(
    (entry: any) => entry.action === action,
  )

t.test('a sign-in is in the audit log once, whenever the service is killed', async (t) => {
  const { service, ana, companyId } = await withOwner(t)
  const half = openBrowser(service.origin)
  await half.call('POST', '/v1/session', { email: ana.email, password })
  const again = await killedAt(t, 'ActQueued', () =>
    half.call('POST', '/v1/session/second-factor', { totp: ana.code() }),
  )
  const recorded = ({ origin }: Service, action: string) =>
    entriesOf(ana.browser.via(origin).at(companyId, 'PRODUCTION'), action)
  await until(async () => (await recorded(again, 'session factor')).length > 0)
  const third = await killedAt(t, 'ActsRecorded', () =>
    ana.browser.via(again.origin).call('POST', '/v1/me/sessions/end-others', {}),
  )
  // What is told comes in order: after this nothing of before is to come.
  const last = await ana.browser.via(third.origin).call('POST', '/v1/me/sessions/end-others', {})
  const lastId = last.headers.get('request-id')
  // The one before may have been killed before it was done, by the record of the sign-in.
  await until(async () =>
    (await recorded(third, 'me end-others')).some(({ requestId }) => requestId === lastId),
  )
  t.match(await recorded(third, 'session factor'), [{ actor: { name: 'Ana Souza' }, result: 'DONE' }])
  t.equal((await recorded(third, 'session factor')).length, 1)
})

for (const type of ['KeyCreated', 'noticed'])
  t.test(`a new key is in the audit log and among the notices once, killed at ${type}`, async (t) => {
    const { ana, companyId } = await withOwner(t)
    const shop = `Loja virtual ${type}`
    const header = { 'Service-Second-Factor': `totp ${ana.code()}` }
    const again = await killedAt(t, type, () =>
      ana.browser.at(companyId).call('POST', '/v1/keys', { name: shop }, header),
    )
    const browser = ana.browser.via(again.origin).at(companyId)
    const notices = async (name: string): Promise<any[]> =>
      (await browser.call('GET', '/v1/notifications')).body.data.filter(
        ({ details }: any) => details.name === name,
      )
    await until(async () => (await notices(shop)).length > 0)
    // What is told comes in order: after this nothing of before is to come.
    await again.operate('keys create', { company: companyId, environment: 'sandbox', name: 'Outra' })
    await until(async () => (await notices('Outra')).length > 0)
    t.match(await notices(shop), [{ kind: 'KEY_CREATED', details: { by: 'Ana Souza' } }])
    t.equal((await notices(shop)).length, 1)
    const entries = await entriesOf(browser, 'keys create')
    t.equal(entries.filter(({ actor }) => actor.name === 'Ana Souza').length, 1)
    await again.logged(`Uma chave de API foi criada: ${shop}`)
  })
