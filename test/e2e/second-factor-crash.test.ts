import t from 'tap'
import { shareKillable } from './killable.ts'
import { authenticatorApp, type Browser, openBrowser, password } from './person.ts'
import { newMerchant } from './service.ts'

/** kill -9 between a code that is used up and what it was to confirm: a code is lost, and nothing else. */

const { serviceFor, withOwner, killedAt } = shareKillable(t)

const withCode = (code: string) => ({ 'Service-Second-Factor': `totp ${code}` })
const invalid = { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } }

t.test(
  'a code is spent, the key that it was to confirm is not made, and a new code makes it once',
  async (t) => {
    const { ana, companyId } = await withOwner(t)
    const code = ana.code()
    const create = (browser: Browser, code: string) =>
      browser.at(companyId).call('POST', '/v1/keys', { name: 'Loja' }, withCode(code))
    const again = await killedAt(t, 'CodeSpent', () => create(ana.browser, code))
    const browser = ana.browser.via(again.origin)
    const made = async () =>
      (await browser.at(companyId).call('GET', '/v1/keys')).body.data.filter(
        ({ name }: any) => name === 'Loja',
      )
    t.strictSame(await made(), [])
    t.match(await create(browser, code), invalid)
    t.equal((await create(browser, ana.code())).status, 201)
    t.equal((await made()).length, 1)
  },
)

t.test('so with what a shard does', async (t) => {
  const { ana, companyId } = await withOwner(t)
  const path = '/v1/company/approval-policy'
  const code = ana.code()
  const { object: _, pending: __, ...policy } = (await ana.browser.at(companyId).call('GET', path)).body
  const set = (browser: Browser, code: string) =>
    browser.at(companyId).call('PUT', path, { ...policy, thresholdAmount: 1000 }, withCode(code))
  const again = await killedAt(t, 'CodeSpent', () => set(ana.browser, code))
  const browser = ana.browser.via(again.origin)
  t.equal((await browser.at(companyId).call('GET', path)).body.thresholdAmount, policy.thresholdAmount)
  t.match(await set(browser, code), invalid)
  t.equal((await set(browser, ana.code())).status, 200)
  t.equal((await browser.at(companyId).call('GET', path)).body.thresholdAmount, '1000')
})

t.test('so with an app that is being added: its next code adds it', async (t) => {
  const service = await serviceFor(t)
  const { company } = await newMerchant(service)
  const { link } = await service.operate('people invite', {
    company: company.id,
    email: 'ana@example.com',
    role: 'owner',
  })
  const browser = openBrowser(service.origin)
  const token = link.slice(link.indexOf('#') + 1)
  await browser.call('POST', '/v1/invitations/accept', { token, name: 'Ana Souza', password })
  await browser.call('GET', '/v1/session')
  const code = authenticatorApp((await browser.call('POST', '/v1/me/totp', {})).body.secret)
  const first = code()
  const confirm = (browser: Browser, code: string) => browser.call('POST', '/v1/me/totp/confirm', { code })
  const again = browser.via((await killedAt(t, 'CodeSpent', () => confirm(browser, first))).origin)
  t.strictSame((await again.call('GET', '/v1/session')).body.person.factors, [])
  t.match(await confirm(again, first), invalid)
  t.equal((await confirm(again, code())).body.codes.length, 10)
})

t.test('a sign-in is stored with its code, or not at all', async (t) => {
  const { service, ana } = await withOwner(t)
  const half = openBrowser(service.origin)
  await half.call('POST', '/v1/session', { email: ana.email, password })
  const totp = ana.code()
  const give = (browser: Browser) => browser.call('POST', '/v1/session/second-factor', { totp })
  const again = await killedAt(t, 'CodeSpent', () => give(half))
  t.equal((await half.via(again.origin).call('GET', '/v1/session')).status, 401, 'its cookie never came')
  const other = openBrowser(again.origin)
  await other.call('POST', '/v1/session', { email: ana.email, password })
  t.match(await give(other), invalid)
  const { data } = (await ana.browser.via(again.origin).call('GET', '/v1/me/sessions')).body
  t.equal(data.length, 2, 'what nobody can use is in the list, and can be ended')
})

t.test(
  'a crash after a new password, before the end of the sessions is stored: none of them works',
  async (t) => {
    const { service, ana } = await withOwner(t)
    const other = openBrowser(service.origin)
    await other.call('POST', '/v1/session', { email: ana.email, password })
    await other.call('POST', '/v1/session/second-factor', { totp: ana.code() })
    t.equal((await other.call('GET', '/v1/session')).status, 200)
    const change = () =>
      ana.browser.call('POST', '/v1/me/password', { current: password, new: 'grampo bateria cavalo' })
    const again = await killedAt(t, 'PersonChanged', change)
    for (const browser of [other, ana.browser])
      t.equal((await browser.via(again.origin).call('GET', '/v1/session')).status, 401)
    const enter = (password: string) =>
      openBrowser(again.origin).call('POST', '/v1/session', { email: ana.email, password })
    t.equal((await enter(password)).status, 401)
    t.match(await enter('grampo bateria cavalo'), { status: 200, body: { next: 'SECOND_FACTOR' } })
  },
)
