import t, { type Test } from 'tap'
import { seeded } from '../engine/world.ts'
import { newAuthenticator } from './authenticator.ts'
import { startMailServer } from './mail-server.ts'
import { prepareDirectory } from './prepared.ts'
import { type Answer, type Call, caller, newCompany, oneWorker, posted } from './service.ts'
import { type DirectMember, publicUrl, secondFactor, signInDirectly } from './sign-in-directly.ts'

/**
 * Random stories of three people and a thief, who has the session of one of them, every request that they have sent with its confirmation,
 * every link that they have used or replaced, and their former passwords, but no factor. The thief never moves money, makes a key, or takes an
 * account. More of them: THIEF_STORIES=200 THIEF_SEED=7.
 */

const stories = Number(process.env.THIEF_STORIES ?? 6)
const seed = Number(process.env.THIEF_SEED ?? 1)
const stepsOfStory = 24

const roles = (['OWNER', 'ADMIN', 'FINANCE'] as const).map((role) => ({ SANDBOX: role, PRODUCTION: role }))

type Headers = Record<string, string>
type Request = {
  readonly verb: string
  readonly path: string
  readonly body?: object
  readonly headers: Headers
}

t.test(`${stories} stories from seed ${seed}`, async (t) => {
  const mail = await startMailServer(t)
  const first = await prepareDirectory(t)
  const companies = []
  for (let n = 0; n < stories; n++) companies.push((await newCompany(first, { name: `Loja ${n}` })).company)
  const { service, members } = await signInDirectly(
    t,
    first,
    companies.flatMap(({ id }) => roles.map((of) => ({ companyId: id, roles: of, hasApp: true }))),
    { env: { ...oneWorker, MAIL_URL: mail.url, TRUSTED_PROXIES: '127.0.0.1/32' } },
  )
  // Strangers guess at the doors of everybody here.
  service.expectLimit('TOO_MANY_ATTEMPTS')
  const plain = caller(service.origin, '')
  for (let n = 0; n < stories; n++) {
    const people = members.slice(3 * n, 3 * n + 3) as [DirectMember, DirectMember, DirectMember]
    await t.test(`story ${n}`, (t) => story(t, { plain, mail, people, random: randomOf(seed * 1000 + n) }))
  }
})

const randomOf = (seed: number) => {
  const entropy = seeded(seed)
  const below = (count: number): number => entropy() % count
  return { below, of: <Value>(values: readonly Value[]): Value => values[below(values.length)]! }
}

type World = {
  readonly plain: Call
  readonly mail: Awaited<ReturnType<typeof startMailServer>>
  readonly people: readonly [DirectMember, DirectMember, DirectMember]
  readonly random: ReturnType<typeof randomOf>
}

const story = async (t: Test, { plain, mail, people, random }: World): Promise<void> => {
  const [ana] = people
  /** What the browser of each sends now: a new cookie comes with a new sign-in. */
  const browsers = people.map(({ headers }) => ({ ...headers }) as Headers)
  const emails = people.map(({ personId }) => `${personId.toLowerCase()}@example.com`)
  const passwords: string[] = people.map(() => '')
  const log: Request[] = []
  const links: string[] = []
  const legit = { transfers: new Set<string>(), approvals: new Set<string>(), keys: new Set<string>() }
  let stolen: Headers = { ...random.of(browsers) }
  let addresses = 0
  const from = (): Headers => ({
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': `198.51.100.${1 + (addresses++ % 250)}`,
  })

  /** A request of a person, with a signature of it where it needs one; the thief has it afterwards. */
  const does = async (
    n: number,
    verb: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<Answer> => {
    const at = browsers[n]!
    const challenge = await plain('POST', '/v1/session/challenge', { verb, path, ...(body && { body }) }, at)
    const assertion = people[n]!.authenticator.get(challenge.body)
    const factor = `passkey ${Buffer.from(JSON.stringify(assertion)).toString('base64url')}`
    const headers = { ...at, 'Service-Second-Factor': factor, ...(key && { 'Idempotency-Key': key }) }
    const answer = await plain(verb, path, body, headers)
    log.push({ verb, path, ...(body && { body }), headers })
    return answer
  }
  const signIn = async (n: number): Promise<void> => {
    const options = await plain('POST', '/v1/session/passkey/options', undefined, from())
    const assertion = people[n]!.authenticator.get(options.body)
    const answer = await plain('POST', '/v1/session/passkey', { assertion }, from())
    log.push({ verb: 'POST', path: '/v1/session/passkey', body: { assertion }, headers: from() })
    t.equal(answer.status, 200, `${n} signs in`)
    browsers[n] = {
      ...browsers[n],
      Cookie: answer.headers.get('set-cookie')!.split(';')[0]!,
      'Service-CSRF': answer.body.csrfToken,
    }
  }
  await posted(ana.call, '/v1/sandbox/pix/received', { amount: 50_000_000 })
  const account = {
    name: 'Comercial Aurora Ltda',
    document: '11444777000161',
    bankCode: '341',
    branch: '1234',
    account: '1',
    accountType: 'CHECKING',
  }
  const payee = await ana.call('POST', '/v1/beneficiaries', account, secondFactor)
  t.equal(payee.status, 201)
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await posted(ana.call, '/v1/sandbox/clock/advance', { to: `${tomorrow}T13:00:00Z` })

  let count = 0
  const transferOf = (amount: number) => ({
    kind: 'PIX',
    beneficiaryId: payee.body.id,
    amount,
    allowDuplicate: true,
  })
  const legitSteps: readonly (() => Promise<void>)[] = [
    async () => {
      const answer = await does(
        random.below(3),
        'POST',
        '/v1/transfers',
        transferOf(100 + ++count),
        `k${count}`,
      )
      if (answer.status === 201) legit.transfers.add(answer.body.id)
    },
    async () => {
      const n = random.below(3)
      const { status, body } = await does(n, 'POST', '/v1/transfers', transferOf(600_000 + ++count))
      if (status !== 201) return
      legit.transfers.add(body.id)
      if (random.below(2) === 0) return
      const other = (n + 1 + random.below(2)) % 3
      const approved = await does(other, 'POST', `/v1/transfers/${body.id}/approve`)
      if (approved.status === 200) legit.approvals.add(`${body.id} ${people[other]!.personId}`)
    },
    async () => {
      const { status, body } = await does(random.below(2), 'POST', '/v1/keys', { name: `Chave ${++count}` })
      if (status === 201) legit.keys.add(body.id)
    },
    async () => {
      const n = random.below(3)
      const challenge = await plain('POST', '/v1/session/challenge', {}, browsers[n]!)
      const assertion = people[n]!.authenticator.get(challenge.body)
      const answer = await plain('POST', '/v1/session/step-up', { assertion }, browsers[n]!)
      log.push({ verb: 'POST', path: '/v1/session/step-up', body: { assertion }, headers: browsers[n]! })
      browsers[n] = { ...browsers[n], Cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
    },
    // Two links, of which the later one is used: the thief has both afterwards.
    async () => {
      const n = random.below(3)
      const before = resets[n]!
      for (let link = 1; link <= 2 && resets[n]! < 3; link++) {
        await plain('POST', '/v1/password/forgot', { email: emails[n]! }, from())
        resets[n] = resets[n]! + 1
        links.push(await mail.mailedToken(emails[n]!, resets[n]!))
      }
      if (resets[n] === before) return
      const password = `grampo bateria ${++count} cavalo`
      const token = links.at(-1)!
      t.equal((await plain('POST', '/v1/password/reset', { token, password }, from())).status, 200)
      passwords[n] = password
      await signIn(n)
    },
    async () => {
      const n = random.below(3)
      await plain('POST', '/v1/me/sessions/end-others', undefined, browsers[n]!)
    },
    async () => signIn(random.below(3)),
  ]
  const resets = [0, 0, 0]

  const thief = newAuthenticator(publicUrl)
  const thiefsPassword = 'senha que so o ladrao sabe'
  /** Confirmations that the thief can show: those that were used, and signatures by a key of the thief's own. */
  const proof = (): Headers => {
    const old = log.flatMap(({ headers }) => headers['Service-Second-Factor'] ?? [])
    const own = `passkey ${Buffer.from(JSON.stringify(thief.get({ challenge: 'AAAA' }))).toString('base64url')}`
    const none: Headers = {}
    return random.of([none, { 'Service-Second-Factor': random.of([own, ...old]) }])
  }
  const tries = (verb: string, path: string, body?: object): Promise<Answer> =>
    plain(verb, path, body, { ...stolen, ...proof(), ...from() })
  /** The challenge of the request that is tried, and an old signature for it. */
  const asks = async (verb: string, path: string, body?: object): Promise<Answer> => {
    await plain('POST', '/v1/session/challenge', { verb, path, ...(body && { body }) }, stolen)
    return tries(verb, path, body)
  }
  const robberies: readonly (() => Promise<Answer | undefined>)[] = [
    async () => {
      if (log.length === 0) return undefined
      const { verb, path, body, headers } = random.of(log)
      const changed = random.of([
        {},
        { 'Idempotency-Key': `novo ${++count}` },
        { 'Service-Environment': 'PRODUCTION' },
        { Cookie: stolen.Cookie!, 'Service-CSRF': stolen['Service-CSRF']! },
      ] as Headers[])
      const other = body && 'amount' in body && random.below(2) === 0 ? { ...body, amount: 777 } : body
      return plain(verb, path, other, { ...headers, ...changed })
    },
    () => asks('POST', '/v1/transfers', transferOf(99_999)),
    async () => {
      const { data } = (await plain('GET', '/v1/transfers?status=PENDING_APPROVAL', undefined, stolen)).body
      return data?.length ? asks('POST', `/v1/transfers/${random.of<any>(data).id}/approve`) : undefined
    },
    () => asks('POST', '/v1/keys', { name: 'Do ladrão' }),
    () => asks('POST', '/v1/beneficiaries', { ...account, account: '666' }),
    () => asks('PATCH', `/v1/beneficiaries/${payee.body.id}`, { trusted: true }),
    () => asks('PATCH', '/v1/me', { email: 'ladrao@example.net' }),
    () => asks('POST', '/v1/me/totp', {}),
    async () => {
      const options = await asks('POST', '/v1/me/passkeys/options', {})
      if (options.status !== 200) return options
      const credential = thief.create(options.body)
      return plain('POST', '/v1/me/passkeys', { name: 'Ladrão', credential }, stolen)
    },
    () =>
      tries('POST', '/v1/me/password', {
        current: random.of(['', ...passwords]) || 'nada disso e certo',
        new: thiefsPassword,
      }),
    async () => {
      if (links.length === 0) return undefined
      const token = random.of(links)
      return plain('POST', '/v1/password/reset', { token, password: thiefsPassword }, from())
    },
    async () => {
      const email = random.of(emails)
      const password = random.of([...passwords, thiefsPassword]) || thiefsPassword
      const half = await plain('POST', '/v1/session', { email, password }, from())
      const { Cookie = '', csrf = '' } = {
        Cookie: half.headers.get('set-cookie')?.split(';')[0],
        csrf: half.body.csrfToken,
      }
      const old = log.flatMap(({ body }) => (body && 'assertion' in body ? [body.assertion] : []))
      const assertion = old.length === 0 ? thief.get({ challenge: 'AAAA' }) : random.of(old)
      const sent = { ...from(), Cookie, 'Service-CSRF': csrf }
      return plain('POST', '/v1/session/second-factor', { assertion }, sent)
    },
    () =>
      tries('POST', '/v1/team/invitations', {
        email: `ladrao${++count}@example.net`,
        roles: { SANDBOX: null, PRODUCTION: 'FINANCE' },
      }),
    async () => {
      const { body } = await plain('GET', '/v1/team', undefined, stolen)
      const changes = [...(body?.members ?? []), ...(body?.invitations ?? [])].flatMap(
        ({ pendingChange }: any) => pendingChange?.id ?? [],
      )
      return changes.length > 0 ? asks('POST', `/v1/team/changes/${random.of(changes)}/approve`) : undefined
    },
  ]

  /** What only a thief would have changed. */
  const check = async (title: string): Promise<void> => {
    for (const n of [0, 1, 2]) {
      const me = await plain('GET', '/v1/me', undefined, browsers[n]!)
      if (me.status === 401) await signIn(n)
      else t.match(me.body, { passkeys: [{ name: 'Test' }], factors: ['totp', 'passkey'] }, `${title}: ${n}`)
    }
    const at = browsers[0]!
    const transfers = (await plain('GET', '/v1/transfers?pageSize=200', undefined, at)).body.data
    for (const { id, decisions } of transfers) {
      t.ok(legit.transfers.has(id), `${title}: ${id} was asked for by a person`)
      for (const { personId } of decisions)
        t.ok(legit.approvals.has(`${id} ${personId}`), `${title}: ${id} was approved by a person`)
    }
    const keys = (await plain('GET', '/v1/keys?pageSize=200', undefined, at)).body.data
    for (const { id, createdBy } of keys)
      t.ok(createdBy === null || legit.keys.has(id), `${title}: ${id} was made by a person`)
    const { members } = (await plain('GET', '/v1/team', undefined, at)).body
    t.strictSame(
      members.map(({ personId, email, roles }: any) => [personId, email, roles]),
      people.map(({ personId }, n) => [personId, emails[n], roles[n]]),
      `${title}: the team and its addresses are as they were`,
    )
  }

  for (let step = 0; step < stepsOfStory; step++) {
    if (random.below(3) === 0) await random.of(legitSteps)()
    else {
      if (random.below(4) === 0) stolen = { ...random.of(browsers) }
      const robbery = random.below(robberies.length)
      const answer = await robberies[robbery]!()
      const title = `step ${step}, robbery ${robbery}, ${answer?.status} ${answer?.body?.code ?? ''}`
      if (robbery === 11) t.not(answer?.status, 200, `${title}: no sign-in`)
      await check(title)
    }
  }
  await check('in the end')
  for (const n of [0, 1, 2]) await signIn(n)
}
