import t from 'tap'
import { newOwner, openBrowser, password } from './person.ts'
import { shareService } from './stories.ts'

// A company of each story; together they try less than an address may in a minute.
const { story } = shareService(t, { env: { WORKERS: '2', PUBLIC_URL: '' } })

story(
  'a person joins by a link, adds a factor, and works for the company',
  {},
  async (t, { service, company }) => {
    const { browser } = await newOwner(service, company.id, 'ana-1@example.com')
    const shown = await browser.call('GET', '/v1/session')
    t.match(shown, {
      status: 200,
      body: {
        enrolmentRequired: false,
        memberships: [{ companyId: company.id, roles: { PRODUCTION: 'OWNER' } }],
      },
    })
    const desk = browser.at(company.id)
    const charge = await desk.call('POST', '/v1/pix/charges', { amount: 1990 }, { 'Idempotency-Key': 'a' })
    t.match(charge, { status: 201, body: { origin: 'DASHBOARD' } })
    t.match(await desk.call('GET', '/v1/transactions'), {
      status: 200,
      body: { data: [{ id: charge.body.id }] },
    })
    t.match(await desk.call('GET', '/v1/team'), { status: 200, body: { members: [{ name: 'Ana Souza' }] } })
    t.match(await browser.call('GET', '/v1/transactions'), { status: 400 }, 'for whom is missing')
    t.match(await browser.at('cmp_01ARZ3NDEKTSV4RRFFQ69G5FAV').call('GET', '/v1/transactions'), {
      status: 404,
    })
  },
)

story('signing in takes the password and then the factor', {}, async (t, { service, company }) => {
  const ana = await newOwner(service, company.id, 'ana-2@example.com')
  const browser = openBrowser(service.origin)
  const wrong = await browser.call('POST', '/v1/session', {
    email: ana.email,
    password: 'not this one at all',
  })
  const unknown = await browser.call('POST', '/v1/session', { email: 'x@example.com', password })
  t.equal(wrong.status, 401)
  t.strictSame(
    { ...wrong.body, requestId: '' },
    { ...unknown.body, requestId: '' },
    'nothing tells who exists',
  )
  const half = await browser.call('POST', '/v1/session', { email: ana.email.toUpperCase(), password })
  t.match(half, { status: 200, body: { next: 'SECOND_FACTOR', methods: ['totp'] } })
  t.match(
    half.headers.get('set-cookie'),
    /^__Host-sid=[\w-]{43}\.\d+\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
  t.equal((await browser.call('GET', '/v1/session')).status, 401, 'half a session shows nothing')
  t.match(await browser.call('POST', '/v1/session/second-factor', { totp: '000000' }), {
    status: 403,
    body: { code: 'SECOND_FACTOR_INVALID' },
  })
  const code = ana.code()
  const full = await browser.call('POST', '/v1/session/second-factor', { totp: code })
  t.match(full, { status: 200, body: { person: { email: ana.email } } })
  t.match(await browser.at(company.id).call('GET', '/v1/transactions'), { status: 200 })
  t.match(
    await browser.call('POST', '/v1/session/step-up', { totp: code }),
    {
      status: 403,
      body: { code: 'SECOND_FACTOR_INVALID' },
    },
    'a code counts once',
  )
  const before = browser.cookie()
  t.equal((await browser.call('DELETE', '/v1/session')).status, 200)
  const thief = await fetch(`${service.origin}/v1/session`, { headers: { Cookie: before } })
  t.equal(thief.status, 401, 'the session has ended, whoever has its cookie')
})

story('recovery codes count once, and are no confirmation', {}, async (t, { service, company }) => {
  const ana = await newOwner(service, company.id, 'ana-3@example.com')
  const enter = async (recoveryCode: string) => {
    const browser = openBrowser(service.origin)
    await browser.call('POST', '/v1/session', { email: ana.email, password })
    return { browser, answer: await browser.call('POST', '/v1/session/second-factor', { recoveryCode }) }
  }
  const [first] = ana.recoveryCodes
  const { browser, answer } = await enter(first!.toLowerCase().replace(/(.{4})/g, '$1-'))
  t.match(answer, { status: 200, body: { steppedUpUntil: null, person: { recoveryCodesLeft: 9 } } })
  t.match((await enter(first!)).answer, { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } })
  t.match(
    await browser.at(company.id, 'PRODUCTION').call('POST', '/v1/team/invitations', {
      email: 'b@example.com',
      roles: { SANDBOX: 'VIEWER', PRODUCTION: null },
    }),
    { status: 403, body: { code: 'STEP_UP_REQUIRED', methods: ['totp'] } },
  )
})

story('requests of other sites are refused', {}, async (t, { service, company, key }) => {
  const { browser } = await newOwner(service, company.id, 'ana-4@example.com')
  const desk = browser.at(company.id)
  const charge = { amount: 100 }
  const cases: readonly (readonly [Record<string, string>, number])[] = [
    [{ 'Service-CSRF': '' }, 403],
    [{ 'Service-CSRF': 'A'.repeat(43) }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Content-Type': 'text/plain' }, 415],
  ]
  for (const [headers, status] of cases)
    t.equal(
      (await desk.call('POST', '/v1/pix/charges', charge, headers)).status,
      status,
      JSON.stringify(headers),
    )
  const login = await openBrowser(service.origin).call(
    'POST',
    '/v1/session',
    { email: 'a@example.com', password },
    { 'Sec-Fetch-Site': 'cross-site' },
  )
  t.match(login, { status: 403, body: { code: 'CSRF_REJECTED' } }, 'nor can another site sign anybody in')
  const byKey = await fetch(`${service.origin}/v1/team`, {
    headers: { Authorization: `Bearer ${key.secret}` },
  })
  t.match(await byKey.json(), { code: 'DASHBOARD_ONLY' })
})
