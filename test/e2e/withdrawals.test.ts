import t, { type Test } from 'tap'
import { problemsIn } from './kill-and-restart.ts'
import { oneWorker, posted, startReceiver, startService, until } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'
import { type StoryWorld, shareService, startForStory } from './stories.ts'

// Withdrawals of stablecoins ("dashboard", section 3.4), with two finance people and an owner, in the Sandbox.

const finance = { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } as const
const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const path = '/v1/crypto/withdrawals'
const addressEnding = (end: string): string => `0x${end.padStart(40, '1')}`

const plan = { people: [finance, finance, owner].map((roles) => ({ roles })) }

/** A company with so many USDT less a hundredth, its people, and a receiver of its events. */
const newTreasury = async (t: Test, { service, company, key, members }: StoryWorld, usdt: number) => {
  type Member = (typeof members)[0]
  const [ana, bia, dona] = members as [Member, Member, Member]
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  const asked = { cryptoAmount: String(usdt), asset: 'USDT', network: 'POLYGON' }
  const charge = await posted(ana.call, '/v1/crypto/charges', asked)
  await posted(ana.call, `/v1/sandbox/crypto/charges/${charge.id}/pay`, {})

  const advance = (by: string) => posted(ana.call, '/v1/sandbox/clock/advance', { by })
  const register = async (address = addressEnding('a'), network = 'POLYGON') => {
    const wallet = {
      name: `Cofre ${address.slice(-4)}`,
      asset: 'USDT',
      network,
      address,
      ownership: 'SELF_CUSTODY',
      holderName: 'Loja Teste',
      holderDocument: '11222333000181',
    }
    const { status, body } = await ana.call('POST', '/v1/crypto/wallets', wallet, secondFactor)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }
  /** One that has cooled off. */
  const known = async (...of: Parameters<typeof register>) => {
    const id = await register(...of)
    await advance('PT24H')
    return id
  }
  const create = (body: object, by = ana, headers = {}) =>
    by.call('POST', path, body, { ...secondFactor, ...headers })
  const get = async (id: string) => (await ana.call('GET', `${path}/${id}`)).body
  const reaches = async (id: string, status: string) => {
    await until(async () => (await get(id)).status === status)
    return get(id)
  }
  const balance = async () => {
    const { body } = await ana.call('GET', '/v1/balance')
    return body.currencies.find(({ currency }: any) => currency === 'USDT')
  }
  /** The events about a withdrawal, once there are so many. */
  const heard = async (id: string, count: number) => {
    const about = () => receiver.heard.map(({ event }) => event).filter(({ data }) => data.id === id)
    await until(async () => about().length >= count)
    return about()
  }
  return {
    service,
    company,
    key,
    ana,
    bia,
    dona,
    advance,
    register,
    known,
    create,
    get,
    reaches,
    balance,
    heard,
  }
}

const { story: storyIn, stopped } = shareService(t, { env: oneWorker })
type Treasury = Awaited<ReturnType<typeof newTreasury>>

const story = (title: string, usdt: number, tell: (t: Test, of: Treasury) => Promise<unknown>): void =>
  storyIn(title, plan, async (t, world) => tell(t, await newTreasury(t, world, usdt)))

story(
  'case 37: a wallet 23 hours old, and 24',
  100,
  async (t, { ana, register, advance, create, reaches, heard, balance }) => {
    const walletId = await register()
    await advance('PT23H')
    const body = { walletId, cryptoAmount: '18.45' }
    const cooling = {
      status: 422,
      body: { code: 'WALLET_NOT_ACTIVE', currentStatus: 'COOLING_OFF', availableAt: /^20/ },
    }
    t.match(await ana.call('POST', `${path}/preview`, body), cooling)
    t.match(await create(body), cooling)
    await advance('PT1H')
    const terms = {
      walletId,
      wallet: { name: 'Cofre 111a', holderName: 'Loja Teste', holderDocument: '**.222.333/****-**' },
      asset: 'USDT',
      network: 'POLYGON',
      address: addressEnding('a'),
      amount: '18450000',
      cryptoAmount: '18.450000',
      feeAmount: '50000',
      quotedAmount: '9963',
      rate: '5.4',
    }
    t.match(await ana.call('POST', `${path}/preview`, body), {
      status: 200,
      body: {
        object: 'crypto_withdrawal_preview',
        ...terms,
        totalAmount: '18500000',
        approvalsRequired: 0,
        reasons: [],
        limitRemaining: String(5_000_000 - 9_963),
        availableAfter: '80500000',
      },
    })
    t.match(await ana.call('POST', path, body), { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    const made = await create(body)
    t.match(made, {
      status: 201,
      body: { id: /^wdr_/, ...terms, status: 'PROCESSING', createdBy: ana.personId, txHash: null },
    })
    const { id } = made.body
    t.match(await reaches(id, 'BROADCAST'), { txHash: /^0x[0-9a-f]{64}$/, completedAt: null })
    t.match(await balance(), { available: '80500000', blocked: '18500000' })
    t.match(await ana.call('GET', `${path}/${id}/receipt`), {
      status: 409,
      body: { currentStatus: 'BROADCAST', allowedStatuses: ['COMPLETED'] },
    })
    await advance('PT30S')
    const { txHash } = await reaches(id, 'COMPLETED')
    t.match(await balance(), { available: '80500000', blocked: '0' })
    const [event] = await heard(id, 1)
    t.strictSame(
      [event.type, event.data],
      [
        'crypto.withdrawal_completed',
        {
          id,
          object: 'crypto_withdrawal',
          asset: 'USDT',
          network: 'POLYGON',
          cryptoAmount: '18.450000',
          toAddress: '0x11…111a',
          txHash,
          failureReason: null,
        },
      ],
    )
  },
)

story(
  'case 22 for withdrawals: another person approves what is above the threshold',
  10_000,
  async (t, { ana, bia, dona, known, create, get, reaches, heard, advance }) => {
    const walletId = await known()
    const body = { walletId, cryptoAmount: '925.925926' }
    t.match(await ana.call('POST', `${path}/preview`, body), {
      body: {
        quotedAmount: '500001',
        approvalsRequired: 1,
        reasons: ['AMOUNT', 'NEW_BENEFICIARY'],
        // It leaves the balance only once it is approved.
        availableAfter: String(9_900_000_000 - 925_925_926 - 50_000),
      },
    })
    const { status, body: made } = await create(body)
    t.match([status, made.status], [201, 'PENDING_APPROVAL'])
    t.match(await ana.call('GET', '/v1/overview'), { body: { pendingApprovals: 1 } })
    const approve = `${path}/${made.id}/approve`
    t.match(await ana.call('POST', approve, {}, secondFactor), { status: 403, body: { code: 'OWN_REQUEST' } })
    t.match(await bia.call('POST', approve, {}), { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    t.match(await bia.call('POST', approve, {}, secondFactor), {
      status: 200,
      body: { approvals: { given: 1 } },
    })
    await reaches(made.id, 'BROADCAST')
    await advance('PT30S')
    t.match(await reaches(made.id, 'COMPLETED'), {
      decisions: [{ personId: bia.personId, decision: 'APPROVED' }],
    })
    t.match(await ana.call('GET', '/v1/overview'), { body: { pendingApprovals: 0 } })
    t.equal((await heard(made.id, 1)).length, 1, 'waiting has no event')

    const other = (await create({ ...body, cryptoAmount: '1000' })).body
    t.match(await bia.call('POST', `${path}/${other.id}/reject`, { reason: 'Não conheço.' }), {
      status: 200,
      body: { status: 'CANCELLED', cancelReason: 'REJECTED' },
    })
    const third = (await create({ ...body, cryptoAmount: '1001' })).body
    t.match(await ana.call('POST', `${path}/${third.id}/cancel`), { body: { cancelReason: 'CANCELLED' } })
    const left = (await create({ ...body, cryptoAmount: '1002' })).body
    const { body: team } = await dona.call('GET', '/v1/team')
    const { id: membership } = team.members.find(({ personId }: any) => personId === ana.personId)
    t.equal((await dona.call('DELETE', `/v1/team/${membership}`)).status, 200)
    const of = async () => (await bia.call('GET', `${path}/${left.id}`)).body
    await until(async () => (await of()).status === 'CANCELLED')
    t.match(await of(), { cancelReason: 'CREATOR_REMOVED' })

    const notices = (await bia.call('GET', '/v1/notifications')).body.data
    t.match(
      notices.find(({ kind }: any) => kind === 'WITHDRAWAL_COMPLETED'),
      { objectId: made.id, details: { cryptoAmount: '925.925926', asset: 'USDT', name: 'Cofre 111a' } },
    )
    t.ok(notices.some(({ kind }: any) => kind === 'WITHDRAWAL_PENDING'))
    const audit = (await dona.call('GET', `/v1/audit?objectId=${made.id}`)).body.data
    t.match(
      audit.map(({ action, actor }: any) => [action, actor.id]),
      [
        ['approveCryptoWithdrawal', bia.personId],
        ['createCryptoWithdrawal', ana.personId],
      ],
    )
    t.equal((await get(made.id)).code, 'NOT_FOUND', 'whoever has left reads nothing any more')
  },
)

story(
  'case 25 for withdrawals: two of 60 % in parallel, and one key fifty times with one code',
  100,
  async (t, { ana, bia, known, create }) => {
    const walletId = await known()
    const answers = await Promise.all([
      create({ walletId, cryptoAmount: '60' }, ana),
      create({ walletId, cryptoAmount: '60.000001' }, bia),
    ])
    t.strictSame(answers.map(({ status }) => status).toSorted(), [201, 422])
    t.equal(answers.find(({ status }) => status === 422)!.body.code, 'INSUFFICIENT_BALANCE')

    const body = { walletId, cryptoAmount: '1' }
    const headers = { 'Idempotency-Key': 'k', ...(await ana.confirmation('POST', path, body)) }
    const repeats = await Promise.all(Array.from({ length: 50 }, () => ana.call('POST', path, body, headers)))
    const made = new Set(repeats.filter(({ status }) => status === 201).map(({ body }) => body.id))
    t.equal(made.size, 1)
    t.ok(repeats.every(({ status, body }) => status === 201 || body.code === 'IDEMPOTENCY_KEY_IN_PROGRESS'))
    t.match(await ana.call('POST', path, body, { 'Idempotency-Key': 'k' }), {
      status: 201,
      body: { id: [...made][0] },
    })
    t.match(await create(body), {
      status: 409,
      body: { code: 'POSSIBLE_DUPLICATE', existingId: [...made][0] },
    })
    t.match(await create({ ...body, allowDuplicate: true }), { status: 201 })
    const { data } = (await ana.call('GET', `${path}?maxAmount=1000000`)).body
    t.equal(data.length, 2)
  },
)

t.test(
  'case 32 for withdrawals: a chain that is silent while the service is killed is paid once',
  async (t) => {
    const alone = await startForStory(t, plan, { env: oneWorker })
    const { service, known, create, ana, company } = await newTreasury(t, alone, 100)
    const walletId = await known()
    const metadata = { sandboxScenario: 'withdrawal_silent' }
    const { body } = await create({ walletId, cryptoAmount: '50', metadata })
    t.equal(body.status, 'PROCESSING')
    await service.kill('SIGKILL')
    const again = await startService(t, { dataDir: service.dataDir, env: oneWorker })
    const key = await again.operate('keys create', { company: company.id, environment: 'sandbox' })
    const headers = { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' }
    const advanced = await fetch(`${again.origin}/v1/sandbox/clock/advance`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ by: 'PT1H' }),
    })
    t.equal(advanced.status, 200)
    const asks = async (path: string): Promise<any> =>
      (await fetch(again.origin + path, { headers: ana.headers })).json()
    t.match(await asks(`${path}/${body.id}`), { status: 'COMPLETED', txHash: /./ })
    t.match(await asks(path), { pagination: { total: 1 } })
    const { currencies } = await asks('/v1/balance')
    t.match(
      currencies.find(({ currency }: any) => currency === 'USDT'),
      { available: '48950000', blocked: '0' },
    )
    await again.kill('SIGTERM')
    t.strictSame(await problemsIn(again.dataDir), [], 'the ledger sums to zero')
  },
)

story(
  'what the network refuses or drops is back, and the Sandbox decides what stays',
  100,
  async (t, { ana, register, advance, create, reaches, balance, heard }) => {
    const [refused, stays] = [await register(addressEnding('dead')), await register(addressEnding('beef'))]
    await advance('PT24H')
    const { id } = (await create({ walletId: refused, cryptoAmount: '10' })).body
    t.match(await reaches(id, 'FAILED'), { failureReason: 'ADDRESS_REFUSED', txHash: null })
    t.match(await balance(), { available: '99000000', blocked: '0' })
    const [event] = await heard(id, 1)
    t.match(event, {
      type: 'crypto.withdrawal_failed',
      data: { toAddress: '0x11…dead', txHash: null, failureReason: 'ADDRESS_REFUSED' },
    })
    const one = (await create({ walletId: stays, cryptoAmount: '10' })).body.id
    await advance('P1D')
    t.match(await reaches(one, 'BROADCAST'), { txHash: /./ })
    const resolve = (id: string, body: object) =>
      ana.call('POST', `/v1/sandbox/crypto/withdrawals/${id}/resolve`, body)
    t.match(await resolve(one, { result: 'FAILED', failureReason: 'DROPPED' }), {
      status: 200,
      body: { status: 'FAILED', failureReason: 'DROPPED' },
    })
    t.match(await resolve(one, { result: 'COMPLETED' }), { status: 409, body: { code: 'INVALID_STATE' } })
    const other = (await create({ walletId: stays, cryptoAmount: '11' })).body.id
    t.match(await resolve(other, { result: 'COMPLETED' }), { status: 200, body: { status: 'COMPLETED' } })
    t.match(await balance(), { available: '87950000', blocked: '0' })
  },
)

story(
  'amounts, lists, export, receipt, search and tickets',
  100,
  async (t, { service, ana, key, known, advance, create, reaches }) => {
    const walletId = await known()
    for (const cryptoAmount of ['0', '1.0000001', '-1', '100000.000001', 1])
      t.match(await create({ walletId, cryptoAmount }), {
        status: 400,
        body: { errors: [{ field: 'cryptoAmount' }] },
      })
    t.match(await create({ walletId, cryptoAmount: '100000' }), {
      status: 422,
      body: { code: 'LIMIT_EXCEEDED', limit: 'cryptoDayAmount', remaining: '5000000' },
    })
    t.match(await create({ walletId: 'wal_0', cryptoAmount: '1' }), {
      status: 422,
      body: { code: 'REFERENCE_NOT_FOUND', field: 'walletId' },
    })
    t.match(await ana.call('GET', `${path}/wdr_0`), { status: 404 })
    const { id } = (await create({ walletId, cryptoAmount: '10', externalId: '=1+1' })).body
    await create({ walletId, cryptoAmount: '20' })
    await reaches(id, 'BROADCAST')
    await advance('PT30S')
    const { txHash } = await reaches(id, 'COMPLETED')

    const found = async (query: string) => (await ana.call('GET', `${path}?${query}`)).body.data.length
    t.strictSame(
      await Promise.all(
        [
          'status=COMPLETED',
          'status=FAILED',
          'asset=USDC',
          'network=POLYGON',
          `walletId=${walletId}`,
          'minAmount=10000001',
          'q=cofre',
          `q=${txHash}`,
          `createdBy=${ana.personId}`,
        ].map(found),
      ),
      [2, 0, 0, 2, 2, 1, 2, 1, 2],
    )
    const csv = await ana.call('GET', `${path}/export?maxAmount=10000000`)
    t.match(csv.body, `COMPLETED,USDT,POLYGON,10.000000,0.050000,5400,5.4,${walletId},Cofre 111a,`)
    t.match(csv.body, `'=1+1`, 'no spreadsheet takes it for a formula')
    t.match(await ana.call('GET', `/v1/search?q=${txHash}`), {
      body: { data: [{ object: 'crypto_withdrawal', id, title: 'Cofre 111a', amount: '5400' }] },
    })
    const receipt = await fetch(`${service.origin}${path}/${id}/receipt`, { headers: ana.headers })
    t.equal(receipt.headers.get('content-type'), 'application/pdf')
    t.match(Buffer.from(await receipt.arrayBuffer()).toString('latin1'), /^%PDF-/)
    const ticket = { subject: 'Saque', category: 'TRANSFER', objectIds: [id], text: 'Chegou?' }
    t.match(await ana.call('POST', '/v1/support/tickets', ticket), { status: 201, body: { objectIds: [id] } })
    t.match(
      await ana.call('GET', path, undefined, { Authorization: `Bearer ${key.secret}` }),
      { status: 403, body: { code: 'DASHBOARD_ONLY' } },
      'no key withdraws',
    )
  },
)

storyIn(
  'in Production without a connection nothing is withdrawn',
  { people: [{ roles: finance, environment: 'PRODUCTION' }] },
  async (t, { service, company, members }) => {
    await service.operate('companies update', {
      id: company.id,
      environment: 'production',
      products: 'CRYPTO',
    })
    const body = { walletId: 'wal_0', cryptoAmount: '1' }
    t.match(await members[0]!.call('POST', path, body, secondFactor), {
      status: 503,
      body: { code: 'PROVIDER_NOT_CONNECTED', rail: 'CRYPTO' },
    })
  },
)

t.test('after all of them the ledger adds up', async (t) => {
  t.strictSame(await problemsIn(await stopped()), [])
})
