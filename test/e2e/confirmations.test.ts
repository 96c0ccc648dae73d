import t, { type Test } from 'tap'
import { addDays, dateIn } from '../../engine/shared/calendar.ts'
import { isAboutPerson } from '../../gateway/identity/access.ts'
import { routes } from '../../gateway/routes/index.ts'
import { newAuthenticator } from './authenticator.ts'
import { startMailServer } from './mail-server.ts'
import { type Answer, type Call, caller, oneWorker, posted, programOf, until } from './service.ts'
import { type DirectMember, publicUrl, secondFactor } from './sign-in-directly.ts'
import { type StoryWorld, shareService } from './stories.ts'

/**
 * A confirmation is for one act, once (dashboard, section 1.5): whatever a person has signed or typed confirms that very operation, by that
 * person, in that session, company and environment, and nothing else.
 */

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const viewer = { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } as const
const zone = 'America/Sao_Paulo'

const rounds = Number(process.env.CONFIRMATION_ROUNDS ?? 3)

type Sent = {
  readonly path?: string
  readonly body?: object
  /** Another body that means something else; absent where the route takes none. */
  readonly otherBody?: object
  /** Where it is done, if not in the Sandbox. */
  readonly environment?: 'PRODUCTION'
  /** Whether the request changes nothing the second time, and so needs no confirmation then. */
  readonly isDoneOnce?: true
}

/** The routes that take a factor for the very operation. */
const confirmedRoutes = routes.filter(
  ({ factor, factorFields }) => factor === 'OPERATION' || factorFields.length > 0,
)

const mail = await startMailServer(t)
const { story: storyIn } = shareService(t, {
  env: { ...oneWorker, TRUSTED_PROXIES: '127.0.0.1/32', MAIL_URL: mail.url },
  program: programOf('banked-main'),
})

/** A story with two companies that have the same people, and as many owners of the first one who have apps. */
const story = (title: string, apps: number, tell: (t: Test, world: World) => Promise<unknown>): void =>
  storyIn(
    title,
    {
      people: [
        { roles: owner, isInOthers: true, hasOtherBrowser: true },
        { roles: owner, isInOthers: true },
        { roles: viewer },
        ...Array.from({ length: apps }, () => ({ roles: owner, hasApp: true })),
      ],
      others: [{ name: 'Outra Loja' }],
    },
    async (t, world) => tell(t, await withAll(world)),
  )

/** All that the operations need: money, payees, wallets, pending changes. */
const withAll = async ({ service, others: [b], members }: StoryWorld) => {
  const [ana, bia, caio] = members as [DirectMember, DirectMember, DirectMember]
  await posted(bia.call, '/v1/sandbox/pix/received', { amount: 5_000_000 })
  const coin = { asset: 'USDT', network: 'POLYGON', cryptoAmount: '9000' }
  const charge = await posted(bia.call, '/v1/crypto/charges', coin)
  await posted(bia.call, `/v1/sandbox/crypto/charges/${charge.id}/pay`, {})
  const now = Date.parse((await bia.call('GET', '/v1/sandbox/clock')).body.now)
  // By day, whenever the test runs: the night has a limit of its own.
  await posted(bia.call, '/v1/sandbox/clock/advance', {
    to: `${addDays(dateIn(zone, now), 1)}T10:00:00-03:00`,
  })
  return { service, b: b!, ana, bia, caio, apps: members.slice(3), made: madeBy(bia) }
}

type World = Awaited<ReturnType<typeof withAll>>

/** What another person makes, with a signature where one is needed. */
const madeBy = (bia: DirectMember) => {
  let count = 0
  const make = async (path: string, body: object, headers = {}): Promise<any> => {
    const { status, body: made } = await bia.call('POST', path, body, { ...secondFactor, ...headers })
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(made)}`)
    return made
  }
  const account = () => ({
    name: 'Comercial Aurora Ltda',
    document: '11444777000161',
    bankCode: '341',
    branch: '1234',
    account: String(++count),
    accountType: 'CHECKING',
  })
  const wallet = () => ({
    name: 'Cofre',
    asset: 'USDT',
    network: 'POLYGON',
    address: `0x${String(++count).padStart(40, '1')}`,
    ownership: 'SELF_CUSTODY',
    holderName: 'Loja Teste',
    holderDocument: '11222333000181',
  })
  const inADay = () => posted(bia.call, '/v1/sandbox/clock/advance', { by: 'P1D' })
  let payee: Promise<string> | null = null
  let safe: Promise<string> | null = null
  const settled = async (path: string, body: object): Promise<string> => {
    const { id } = await make(path, body)
    await inADay()
    return id
  }
  return {
    make,
    account,
    wallet,
    /** A payee, and a wallet, of more than a day. */
    payee: () => (payee ??= settled('/v1/beneficiaries', account())),
    safe: () => (safe ??= settled('/v1/crypto/wallets', wallet())),
    number: () => ++count,
  }
}

const withoutMembers = (body: any, ...names: string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !['object', ...names].includes(name)))

/** How each operation becomes one that would be accepted, if it were confirmed. */
const ready: Readonly<Record<string, (world: World) => Promise<Sent>>> = {
  createTransfer: async ({ made }) => {
    const body = { kind: 'PIX', beneficiaryId: await made.payee(), amount: 100, allowDuplicate: true }
    return { body, otherBody: { ...body, amount: 200 } }
  },
  approveTransfer: async ({ made }) => {
    const transfer = { kind: 'PIX', beneficiaryId: await made.payee(), allowDuplicate: true }
    const { id } = await made.make('/v1/transfers', { ...transfer, amount: 500_100 + made.number() })
    return { path: `/v1/transfers/${id}/approve` }
  },
  createBeneficiary: async ({ made }) => ({ body: made.account(), otherBody: made.account() }),
  changeBeneficiary: async ({ made }) => ({
    path: `/v1/beneficiaries/${await made.payee()}`,
    body: { nickname: `Aurora ${made.number()}` },
    otherBody: { nickname: 'Outra' },
  }),
  createWallet: async ({ made }) => ({ body: made.wallet(), otherBody: made.wallet() }),
  createCryptoWithdrawal: async ({ made }) => {
    const walletId = await made.safe()
    return { body: { walletId, cryptoAmount: '1' }, otherBody: { walletId, cryptoAmount: '2' } }
  },
  approveCryptoWithdrawal: async ({ made }) => {
    const walletId = await made.safe()
    const { id } = await made.make('/v1/crypto/withdrawals', {
      walletId,
      cryptoAmount: String(1000 + made.number()),
    })
    return { path: `/v1/crypto/withdrawals/${id}/approve` }
  },
  resolveCryptoDeposit: async ({ bia }) => {
    const coin = { asset: 'USDT', network: 'POLYGON', cryptoAmount: '1' }
    const { id } = await posted(bia.call, '/v1/crypto/charges', coin)
    await posted(bia.call, `/v1/crypto/charges/${id}/cancel`, {})
    await posted(bia.call, `/v1/sandbox/crypto/charges/${id}/pay`, { cryptoAmount: '2' })
    const { data } = (await bia.call('GET', '/v1/crypto/deposits?status=UNRESOLVED')).body
    return {
      path: `/v1/crypto/deposits/${data[0].id}/resolve`,
      body: { action: 'ACCEPT' },
      otherBody: { action: 'RETURN', address: `0x${'1'.repeat(40)}` },
    }
  },
  returnSuspense: async ({ bia }) => ({ path: `${await unmatched(bia)}/return` }),
  declareTransfer: async ({ bia, made }) => {
    const transfer = { kind: 'PIX', beneficiaryId: await made.payee(), allowDuplicate: true }
    const metadata = { sandboxScenario: 'transfer_lost' }
    const { id } = await made.make('/v1/transfers', { ...transfer, amount: 100 + made.number(), metadata })
    await until(async () => (await bia.call('GET', `/v1/transfers/${id}`)).body.lostAt !== undefined)
    return { path: `/v1/transfers/${id}/declare`, ...declared }
  },
  declareSplitTransfer: async ({ bia }) => ({
    path: `/v1/split/transfers/${await lostPart(bia)}/declare`,
    ...declared,
  }),
  writeOffSuspense: async ({ bia }) => ({
    path: `${await unmatched(bia)}/write-off`,
    body: { reason: 'Saiu do banco' },
    otherBody: { reason: 'Outro motivo' },
  }),
  createConversion: async ({ bia }) => {
    const quote = async (fromAmount: number) => {
      const wanted = { fromCurrency: 'BRL', toCurrency: 'USDT', fromAmount }
      return { quoteId: (await posted(bia.call, '/v1/conversions/quotes', wanted)).id }
    }
    return { body: await quote(1000), otherBody: await quote(2000) }
  },
  setApprovalPolicy: async ({ bia, made }) => {
    const { body } = await bia.call('GET', '/v1/company/approval-policy')
    const policy = withoutMembers(body, 'pending')
    const thresholdAmount = 400_000 - made.number()
    return {
      body: { ...policy, thresholdAmount },
      otherBody: { ...policy, thresholdAmount: thresholdAmount - 1 },
    }
  },
  setLimits: async ({ bia, made }) => {
    const { body } = await bia.call('GET', '/v1/company/limits')
    const limits = withoutMembers(body, 'pending', 'usage')
    const tedDayAmount = 20_000_000 - made.number()
    return { body: { ...limits, tedDayAmount }, otherBody: { ...limits, tedDayAmount: tedDayAmount - 1 } }
  },
  approveControlChange: async (world) => ({
    path: `/v1/company/changes/${await pendingChange(world)}/approve`,
  }),
  rejectControlChange: async (world) => ({
    path: `/v1/company/changes/${await pendingChange(world)}/reject`,
  }),
  createApiKey: async () => ({ body: { name: 'Loja' }, otherBody: { name: 'Outra' } }),
  rollApiKey: async ({ made }) => ({
    path: `/v1/keys/${(await made.make('/v1/keys', { name: 'Servidor' })).id}/roll`,
    body: { overlapSeconds: 0 },
    otherBody: { overlapSeconds: 3600 },
  }),
  rollWebhookSecret: async ({ bia }) => {
    const url = 'http://127.0.0.1:9/hook'
    const { id } = await posted(bia.call, '/v1/webhooks/endpoints', { url })
    return {
      path: `/v1/webhooks/endpoints/${id}/roll-secret`,
      body: { overlapSeconds: 0 },
      otherBody: { overlapSeconds: 60 },
    }
  },
  createConnection: async () => ({
    body: { provider: 'efi', settings: bankSettings, rails: ['PIX'] },
    otherBody: { provider: 'efi', settings: { ...bankSettings, pixKey: 'another' }, rails: ['PIX'] },
    ...live,
  }),
  activateConnection: async (world) => ({
    path: `${await aConnection(world, 'verify')}/activate`,
    isDoneOnce: true,
    ...live,
  }),
  resumeConnection: async (world) => ({
    path: `${await aConnection(world, 'verify', 'activate', 'suspend')}/resume`,
    isDoneOnce: true,
    ...live,
  }),
  rotateConnection: async (world) => ({
    path: `${await aConnection(world, 'verify', 'activate')}/rotate`,
    body: { settings: { clientSecret: 'the next secret' } },
    otherBody: { settings: { clientSecret: 'another secret' } },
    ...live,
  }),
  restoreConnection: async (world) => ({
    path: `${await aConnection(world, 'verify', 'activate', 'rotate')}/restore`,
    ...live,
  }),
  retireConnection: async (world) => ({
    path: `${await aConnection(world, 'verify')}/retire`,
    isDoneOnce: true,
    ...live,
  }),
  approveRoleChange: async ({ bia, caio }) => {
    const { members } = (await bia.call('GET', '/v1/team')).body
    const { id, pendingChange } = members.find(({ personId }: any) => personId === caio.personId)
    const roles = { SANDBOX: 'VIEWER', PRODUCTION: 'FINANCE' }
    const change = pendingChange ?? (await bia.call('PATCH', `/v1/team/${id}`, { roles })).body.pendingChange
    return { path: `/v1/team/changes/${change.id}/approve` }
  },
  startTotp: async () => ({}),
  startPasskey: async () => ({}),
  changeMe: async ({ made }) => ({
    body: { email: `nova${made.number()}@example.com` },
    otherBody: { email: 'outra@example.com' },
  }),
  changeCompany: async ({ made }) => {
    const bankAccount = { bankCode: '341', branch: '1234', accountType: 'CHECKING' }
    return {
      body: { bankAccount: { ...bankAccount, account: String(made.number()) } },
      otherBody: { bankAccount: { ...bankAccount, account: '9' } },
      isDoneOnce: true,
    }
  },
}

const declared = {
  body: { outcome: 'NOT_SENT', reason: 'Nada no extrato' },
  otherBody: { outcome: 'NOT_SENT', reason: 'Outro motivo', othersCount: 1 },
}

/** A recipient’s part about which the bank can be asked no more. */
const lostPart = async ({ call }: DirectMember): Promise<string> => {
  const recipient = await posted(call, '/v1/split/recipients', {
    ...{ name: 'Vendedora Ltda', document: '11222333000181', bankCode: '998' },
    ...{ branch: '1234', account: '56789-0' },
  })
  const items = [{ recipientId: recipient.id, percentBps: 8_000 }, { percentBps: 2_000 }]
  const rule = await posted(call, '/v1/split/rules', { name: '80/20', items })
  const charge = await posted(call, '/v1/pix/charges', { amount: 1_000, splitRuleId: rule.id })
  await posted(call, `/v1/sandbox/pix/charges/${charge.id}/pay`, {})
  const part = async (): Promise<any> =>
    (await call('GET', `/v1/split/transfers?transactionId=${charge.id}`)).body.data[0]
  await until(async () => (await part())?.lostAt !== undefined)
  return (await part()).id
}

/** Money in suspense. */
const unmatched = async ({ call }: DirectMember): Promise<string> =>
  `/v1/suspense/${(await posted(call, '/v1/sandbox/pix/unmatched', { amount: 700 })).id}`

const live = { environment: 'PRODUCTION' } as const
const bankSettings = {
  clientId: 'client-of-the-shop',
  clientSecret: 'a secret of the bank',
  pixKey: 'b6e8a2b4-0000-4000-8000-000000000001',
  merchantName: 'Loja',
  merchantCity: 'Recife',
}

/** A connection with which these steps were made, and no other: each rail has one that is active. */
const aConnection = async ({ bia, made }: World, ...steps: readonly string[]): Promise<string> => {
  const place = { 'Service-Environment': 'PRODUCTION' }
  const { data } = (await bia.call('GET', '/v1/connections', undefined, place)).body
  for (const { id, status } of data)
    if (status !== 'RETIRED') await made.make(`/v1/connections/${id}/retire`, {}, place)
  const body = { provider: 'efi', settings: bankSettings, rails: ['PIX'] }
  const path = `/v1/connections/${(await made.make('/v1/connections', body, place)).id}`
  for (const step of steps)
    await made.make(
      `${path}/${step}`,
      step === 'rotate' ? { settings: { clientSecret: 'the next one' } } : {},
      place,
    )
  return path
}

/** A looser limit that another person has asked for, which the one before gives way to. */
const pendingChange = async ({ bia, made }: World): Promise<string> => {
  const path = '/v1/company/limits'
  const limits: any = withoutMembers((await bia.call('GET', path)).body, 'pending', 'usage')
  const set = (cryptoDayAmount: number) => bia.call('PUT', path, { ...limits, cryptoDayAmount }, secondFactor)
  const { data } = (await bia.call('GET', '/v1/company/changes')).body
  const waiting = data.find(({ status }: any) => ['PENDING_APPROVAL', 'SCHEDULED'].includes(status))
  if (waiting !== undefined)
    await bia.call('POST', `/v1/company/changes/${waiting.id}/reject`, undefined, secondFactor)
  await set(Number(limits.cryptoDayAmount) + made.number())
  return (await bia.call('GET', '/v1/company/changes')).body.data[0].id
}

/** A browser in which nobody is signed in, at an address of its own: strangers may try twenty times a minute at each. */
const stranger = () => ({
  'Sec-Fetch-Site': 'same-origin',
  'X-Forwarded-For': `192.0.2.${1 + (addresses++ % 250)}`,
})
let addresses = 0

const header = (assertion: object) => ({
  'Service-Second-Factor': `passkey ${Buffer.from(JSON.stringify(assertion)).toString('base64url')}`,
})

/** Gets a challenge as a browser with these headers, and signs it. */
const signed = async (
  call: Call,
  { authenticator }: DirectMember,
  target: object,
  headers: Readonly<Record<string, string>>,
  path = '/v1/session/challenge',
) => {
  const challenge = await call('POST', path, target, headers)
  if (challenge.status !== 200) throw new Error(`${path}: ${JSON.stringify(challenge.body)}`)
  return header(authenticator.get(challenge.body))
}

const factorRefused = { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } }
const invalid = (reason: string) => ({ status: 403, body: { code: 'SECOND_FACTOR_INVALID', reason } })

t.test('every route that takes a confirmation is in this table', async (t) => {
  t.strictSame(
    Object.keys(ready).sort(),
    confirmedRoutes.map(({ operationId }) => operationId).sort(),
    'as many as there are, each once',
  )
})

story(
  'what was signed for anything else confirms nothing, and what was signed for this counts once',
  0,
  async (t, world) => {
    const { service, b, ana, bia } = world
    const plain = caller(service.origin, '')
    const { Cookie, ...place } = ana.headers as { Cookie: string }
    t.ok(Cookie && place)

    for (const route of confirmedRoutes) {
      const { operationId } = route
      const sent = await ready[operationId]!(world)
      const { path = route.path, body, otherBody, isDoneOnce = false, environment } = sent
      const here = <Headers extends object>(headers: Headers) =>
        environment === undefined ? headers : { ...headers, 'Service-Environment': environment }
      const elsewhere = environment === undefined ? 'PRODUCTION' : 'SANDBOX'
      const target = { verb: route.verb, path, ...(body && { body }) }
      const send = (headers: object): Promise<Answer> =>
        plain(route.verb, path, body, { ...here(ana.headers), ...headers })
      t.match(
        await send({}),
        { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } },
        `${operationId}: none`,
      )

      const refused = async (title: string, headers: object, reason = 'OTHER_OPERATION') =>
        t.match(await send(headers), invalid(reason), `${operationId}: ${title}`)
      const bySigning = async (title: string, other: object, headers = here(ana.headers)) =>
        refused(title, await signed(plain, ana, { ...target, ...other }, headers))

      await bySigning('another session', {}, here(ana.otherBrowser!))
      const isAboutPlace = !isAboutPerson(route.permission)
      if (isAboutPlace)
        await bySigning('another company', {}, { ...here(ana.headers), 'Service-Company': b.company.id })
      await bySigning('another query', { path: `${path}?a=b` })
      if (isAboutPlace && route.permission !== 'team.manage')
        await bySigning('another environment', {}, { ...ana.headers, 'Service-Environment': elsewhere })
      if (otherBody !== undefined) await bySigning('another body', { body: otherBody })
      const other = confirmedRoutes.find(({ verb }) => verb !== route.verb)!
      const otherReady = await ready[other.operationId]!(world)
      await bySigning('another verb and path', {
        verb: other.verb,
        path: otherReady.path ?? other.path,
        body: otherReady.body ?? {},
      })
      if (path !== route.path)
        await bySigning('another object', {
          path: path.replace(/_[0-9A-Z]{26}/, '_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
        })
      await refused('a step-up', await signed(plain, ana, {}, here(ana.headers)))
      await refused('a sign-in', await signed(plain, ana, {}, stranger(), '/v1/session/passkey/options'))
      await refused('another person', await signed(plain, bia, target, here(bia.headers)), 'WRONG')
      const foreign = await plain('POST', '/v1/session/challenge', target, here(bia.headers))
      await refused('the challenge of another person', header(ana.authenticator.get(foreign.body)))

      const right = await signed(plain, ana, target, here(ana.headers))
      const done = await send(right)
      t.ok(done.status < 300, `${operationId}: ${done.status} ${JSON.stringify(done.body)}`)
      t.equal((await send(right)).status >= 400, !isDoneOnce, `${operationId}: once`)
      for (const [path, body] of [
        ['/v1/session/step-up', { assertion: assertionIn(right) }],
        ['/v1/session/passkey', { assertion: assertionIn(right) }],
      ] as const)
        t.equal(
          (await plain('POST', path, body, { ...ana.headers, ...stranger() })).status,
          403,
          `${operationId}: nor ${path}`,
        )
    }
  },
)

const assertionIn = ({ 'Service-Second-Factor': text }: { 'Service-Second-Factor': string }): object =>
  JSON.parse(Buffer.from(text.slice('passkey '.length), 'base64url').toString())

story('a challenge for one purpose serves no other', 0, async (t, { service, ana, made }) => {
  const plain = caller(service.origin, '')
  const body = { name: 'Loja' }
  const operation = { verb: 'POST', path: '/v1/keys', body }
  const sources = {
    SIGN_IN: () => signed(plain, ana, {}, stranger(), '/v1/session/passkey/options'),
    STEP_UP: () => signed(plain, ana, {}, ana.headers),
    OPERATION: () => signed(plain, ana, operation, ana.headers),
    REGISTRATION: async () => {
      const adding = { verb: 'POST', path: '/v1/me/passkeys/options' }
      const confirmed = { ...ana.headers, ...(await signed(plain, ana, adding, ana.headers)) }
      return signed(plain, ana, {}, confirmed, adding.path)
    },
  }
  const uses: Record<string, (factor: Awaited<ReturnType<typeof signed>>) => Promise<Answer>> = {
    SIGN_IN: (factor) => plain('POST', '/v1/session/passkey', { assertion: assertionIn(factor) }, stranger()),
    OPERATION: (factor) => plain('POST', '/v1/keys', body, { ...ana.headers, ...factor }),
    // The last one: a step-up changes the cookie.
    STEP_UP: (factor) =>
      plain('POST', '/v1/session/step-up', { assertion: assertionIn(factor) }, ana.headers),
  }
  for (const [purpose, source] of Object.entries(sources))
    for (const [use, give] of Object.entries(uses))
      if (purpose !== use)
        t.match(await give(await source()), invalid('OTHER_OPERATION'), `${purpose} at ${use}`)
  for (const purpose of ['SIGN_IN', 'OPERATION', 'STEP_UP'] as const) {
    const factor = await sources[purpose]()
    t.ok((await uses[purpose]!(factor)).status < 300, purpose)
    t.not((await uses[purpose]!(factor)).status, 200, `${purpose} once`)
  }
  t.ok(made)
})

story(
  'a code of an app confirms one operation, and serves nowhere afterwards',
  confirmedRoutes.length,
  async (t, world) => {
    const { service, apps, b } = world
    const plain = caller(service.origin, '')
    for (const [n, route] of confirmedRoutes.entries()) {
      const { operationId } = route
      const person = apps[n]!
      const { path = route.path, body, isDoneOnce = false, environment } = await ready[operationId]!(world)
      const here = environment && { 'Service-Environment': environment }
      const factor = { 'Service-Second-Factor': `totp ${person.code()}` }
      const send = (place: object = {}): Promise<Answer> =>
        plain(route.verb, path, body, { ...person.headers, ...here, ...place, ...factor })
      const done = await send()
      t.ok(done.status < 300, `${operationId}: ${done.status} ${JSON.stringify(done.body)}`)
      t.equal((await send()).status >= 400, !isDoneOnce, `${operationId}: once`)
      const key = (place: object) =>
        plain('POST', '/v1/keys', { name: 'Loja' }, { ...person.headers, ...place, ...factor })
      // It is used, and half a minute later too old as well.
      t.match(await key({}), factorRefused, `${operationId}: not for another`)
      t.match(await key({ 'Service-Environment': 'PRODUCTION' }), factorRefused, `${operationId}: elsewhere`)
      t.equal((await key({ 'Service-Company': b.company.id })).status, 404)
      const totp = factor['Service-Second-Factor'].slice('totp '.length)
      t.match(
        await plain('POST', '/v1/session/step-up', { totp }, person.headers),
        factorRefused,
        `${operationId}: nor for a step-up`,
      )
    }
    const [one, two] = apps as [DirectMember, DirectMember]
    t.match(
      await plain(
        'POST',
        '/v1/keys',
        { name: 'Loja' },
        {
          ...one.headers,
          'Service-Second-Factor': `totp ${two.code()}`,
        },
      ),
      invalid('WRONG'),
      'the code of another person',
    )
  },
)

story('two people who confirm the same thing at once do not disturb each other', 1, async (t, world) => {
  const { service, ana, apps, made } = world
  const [dona] = apps as [DirectMember]
  const plain = caller(service.origin, '')
  const { path } = await ready.approveTransfer!(world)
  const target = { verb: 'POST', path }
  const first = await signed(plain, ana, target, ana.headers)
  const second = await signed(plain, dona, target, dona.headers)
  for (let n = 0; n < 30; n++) await plain('POST', '/v1/session/challenge', target, dona.headers)
  t.match(await plain('POST', path!, undefined, { ...ana.headers, ...first }), { status: 200 })
  t.match(
    await plain('POST', path!, undefined, { ...dona.headers, ...second }),
    { status: 409, body: { code: 'INVALID_STATE' } },
    'too late, but not told that the signature is wrong',
  )
  t.ok(made)
})

story(
  'the same payment twice takes two signatures, and equal requests under one key take one',
  rounds,
  async (t, world) => {
    const { service, ana, apps, made } = world
    const plain = caller(service.origin, '')
    const { body } = await ready.createTransfer!(world)
    const target = { verb: 'POST', path: '/v1/transfers', body }
    const send = (factor: object, headers: object = ana.headers): Promise<Answer> =>
      plain('POST', '/v1/transfers', body, { ...headers, ...factor })
    const factor = await signed(plain, ana, target, ana.headers)
    t.match(await send(factor), { status: 201 })
    await signed(plain, ana, target, ana.headers)
    t.match(await send(factor), invalid('USED'), 'a new challenge of the same request revives no signature')

    const count = async () =>
      (await plain('GET', '/v1/transfers', undefined, ana.headers)).body.pagination.total
    const together = async (title: string, headers: object, factor: object) => {
      const before = await count()
      const key = { 'Idempotency-Key': title }
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => send({ ...factor, ...key }, headers)),
      )
      const made = answers.filter(
        ({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'),
      )
      t.equal(made.length, 1, `${title}: one acts`)
      for (const { status, headers, body } of answers)
        if (status === 409) t.match(body, { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })
        else if (!headers.has('idempotent-replayed')) t.equal(status, 201)
        else t.strictSame(body, made[0]!.body, 'the replay')
      t.equal(await count(), before + 1, `${title}: one effect`)
      t.match(await send({ ...factor, ...key }, headers), { status: 201, body: made[0]!.body })
    }
    for (let n = 0; n < rounds; n++)
      await together(`passkey ${n}`, ana.headers, await signed(plain, ana, target, ana.headers))
    for (const [n, person] of apps.slice(0, rounds).entries()) {
      await together(`app ${n}`, person.headers, { 'Service-Second-Factor': `totp ${person.code()}` })
      // Five wrong codes would be too many; none was counted.
      const wrong = { 'Service-Second-Factor': 'totp 000000' }
      for (let tries = 0; tries < 4; tries++)
        t.match(await send(wrong, person.headers), invalid('WRONG'), 'no code was counted before')
    }
    t.ok(made)
  },
)

story('a challenge tells all that the request would be refused for', 0, async (t, { service, ana, caio }) => {
  const plain = caller(service.origin, '')
  const ask = (body: object, headers = ana.headers) => plain('POST', '/v1/session/challenge', body, headers)
  t.match(await ask({ body: { a: 1 } }), {
    status: 400,
    body: {
      errors: [
        { field: 'verb', code: 'REQUIRED' },
        { field: 'path', code: 'REQUIRED' },
      ],
    },
  })
  const wrong = { kind: 'PIX', amount: -1, scheduledFor: 'amanhã', metadata: { a: [] } }
  const { status, body } = await ask({ verb: 'POST', path: '/v1/transfers', body: wrong })
  t.equal(status, 400)
  const fields = body.errors.map(({ field }: any) => field)
  for (const field of ['body.amount', 'body.scheduledFor', 'body.metadata'])
    t.ok(
      fields.some((name: string) => name.startsWith(field)),
      `${field} of ${fields}`,
    )
  t.match(await ask({ verb: 'POST', path: '/v1/nowhere' }), { status: 404 })
  t.match(await ask({ verb: 'POST', path: '/v1/keys', body: {} }, caio.headers), {
    status: 403,
    body: { code: 'NO_PERMISSION', requiredPermission: 'keys.manage' },
  })
  const { 'Service-Company': _, ...nowhere } = ana.headers as { 'Service-Company': string }
  t.match(await ask({ verb: 'POST', path: '/v1/keys', body: { name: 'Loja' } }, nowhere), { status: 400 })
})

story(
  'a count that falls back is told of as what it is, unless the key is synced',
  0,
  async (t, { service, ana }) => {
    const plain = caller(service.origin, '')
    const target = (name: string) => ({ verb: 'POST', path: '/v1/keys', body: { name } })
    const make = async (name: string) => {
      const factor = await signed(plain, ana, target(name), ana.headers)
      return plain('POST', '/v1/keys', { name }, { ...ana.headers, ...factor })
    }
    for (const name of ['Um', 'Dois', 'Três']) t.match(await make(name), { status: 201 })
    ana.authenticator.restartCounting()
    t.match(await make('Quatro'), invalid('PASSKEY_COUNTER'))
    t.match(await make('Quatro'), invalid('PASSKEY_COUNTER'))
    const inProduction = { ...ana.headers, 'Service-Environment': 'PRODUCTION' }
    const notices = async () =>
      (await plain('GET', '/v1/notifications', undefined, inProduction)).body.data.filter(
        ({ kind }: any) => kind === 'PASSKEY_COUNTER',
      )
    while ((await notices()).length === 0) await new Promise((resolve) => setImmediate(resolve))
    t.match(await notices(), [{ details: { name: 'Test', ip: '127.0.0.1' } }], 'once an hour')
    const audited = async () =>
      (await plain('GET', '/v1/audit', undefined, { ...ana.headers })).body.data.map(({ code }: any) => code)
    while (!(await audited()).includes('PASSKEY_COUNTER'))
      await new Promise((resolve) => setImmediate(resolve))
    t.match(await make('Quatro'), invalid('PASSKEY_COUNTER'), 'the third signature, as the last that counted')
    t.match(await make('Quatro'), { status: 201 }, 'the fourth is past it')

    const synced = newAuthenticator(publicUrl, { isSynced: true })
    const adding = { verb: 'POST', path: '/v1/me/passkeys/options' }
    const confirmed = { ...ana.headers, ...(await signed(plain, ana, adding, ana.headers)) }
    const options = await plain(adding.verb, adding.path, undefined, confirmed)
    const credential = synced.create(options.body)
    const added = await plain('POST', '/v1/me/passkeys', { name: 'Gerenciador', credential }, ana.headers)
    t.match(added, { status: 200 })
    const cookie = added.headers.get('set-cookie')!.split(';')[0]!
    const bySynced = { ...ana, authenticator: synced, headers: { ...ana.headers, Cookie: cookie } }
    for (const name of ['Cinco', 'Seis']) {
      synced.restartCounting()
      const factor = await signed(plain, bySynced, target(name), bySynced.headers)
      t.match(await plain('POST', '/v1/keys', { name }, { ...bySynced.headers, ...factor }), { status: 201 })
    }
  },
)
