import t from 'tap'
import { pngOf } from '../../gateway/documents/qr-code/picture.ts'
import { oneWorker, startReceiver } from './service.ts'
import { shareService } from './stories.ts'

const rolesOf = (role: 'OWNER' | 'SUPPORT' | 'VIEWER') => ({ SANDBOX: role, PRODUCTION: role })
const text = 'The order was collected by the payer, who signed for it.'
const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64')
const png = pngOf('proof', 2).toString('base64')

const { story } = shareService(t, { env: oneWorker })

story(
  'people answer a MED, and contest what it returned',
  {
    scopes: 'charges.create,charges.read,transactions.read,refunds.create',
    people: (['OWNER', 'SUPPORT', 'VIEWER'] as const).map((role) => ({ roles: rolesOf(role) })),
  },
  async (t, { service, company, call: byKey, members }) => {
    const [owner, support, viewer] = members.map(({ call }) => call) as [any, any, any]
    const receiver = await startReceiver(t)
    await service.operate('webhooks create', {
      company: company.id,
      environment: 'sandbox',
      url: receiver.url,
    })

    const contested = async (body: object = {}) => {
      const charge = (await byKey('POST', '/v1/pix/charges', { amount: 10_000 })).body
      await byKey('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`)
      return (await byKey('POST', `/v1/sandbox/transactions/${charge.id}/med`, body)).body
    }
    const answer = (by: any, id: string, body: object) => by('POST', `/v1/meds/${id}/defend`, body)
    const balance = async () => (await owner('GET', '/v1/balance')).body

    // The payment itself has left its fee behind, and the next payment fills what is missing.
    const med = await contested({
      details: 'reported stolen',
      rootEndToEndId: 'E0000000020261120120012345678901',
    })
    t.match(med, {
      amount: '10000',
      blockedAmount: '9901',
      details: 'reported stolen',
      rootEndToEndId: 'E0000000020261120120012345678901',
      defense: null,
      contest: null,
      contestUntil: null,
    })
    t.equal(Date.parse(med.analysisDueAt) - Date.parse(med.openedAt), 7 * 86_400_000)
    const notices = (await support('GET', '/v1/notifications')).body.data
    t.match(notices, [{ kind: 'MED_OPENED', objectId: med.transactionId }], 'those who can answer hear of it')
    t.match((await viewer('GET', '/v1/notifications')).body.data, { length: 0 })
    const operational = await contested({ reason: 'OPERATIONAL_FAILURE', amount: 100 })
    t.equal(Date.parse(operational.analysisDueAt) - Date.parse(operational.openedAt), 86_400_000)
    t.match((await byKey('GET', '/v1/meds?status=OPEN')).body, {
      pagination: { total: 2 },
      data: [{ id: operational.id }, { id: med.id, blockedAmount: '10000' }],
    })
    t.match((await byKey('GET', `/v1/meds?transactionId=${med.transactionId}`)).body.data, { length: 1 })
    t.match(await balance(), { blocked: '10100', available: String(2 * 9_901 - 10_100) })

    t.match(await answer(byKey, med.id, { text }), { status: 403, body: { code: 'DASHBOARD_ONLY' } })
    t.match(await answer(viewer, med.id, { text }), {
      status: 403,
      body: { code: 'NO_PERMISSION', requiredPermission: 'disputes.manage' },
    })
    for (const [files, field, code] of [
      [[{ name: 'a.pdf', content: 'no base64!' }], 'files[0].content', 'INVALID_FORMAT'],
      [[{ name: 'a.pdf', content: '' }], 'files[0].content', 'TOO_SHORT'],
      [[{ name: 'a.svg', content: base64('<svg xmlns="x"></svg>') }], 'files[0].content', 'INVALID_FORMAT'],
      [[{ name: 'a.pdf', content: base64('%PDF-1.7 cut off') }], 'files[0].content', 'INVALID_FORMAT'],
      [[{ name: 'a.pdf', content: base64(`GIF89a %PDF-1.7 %%EOF`) }], 'files[0].content', 'INVALID_FORMAT'],
      [[{ name: 'a.png', content: png.slice(0, 80) }], 'files[0].content', 'INVALID_FORMAT'],
      [[{ content: png }], 'files[0].name', 'REQUIRED'],
      [Array(4).fill({ name: 'a.png', content: png }), 'files', 'TOO_MANY'],
      [
        Array(3).fill({ name: 'a.pdf', content: base64(`%PDF-1.7${' '.repeat(12_000)}%%EOF`) }),
        'files',
        'TOO_LONG',
      ],
    ] as const)
      t.match(await answer(owner, med.id, { text, files }), {
        status: 400,
        body: { errors: [{ field, code }] },
      })
    t.match(await answer(owner, med.id, { text: 'too short' }), {
      status: 400,
      body: { errors: [{ field: 'text', code: 'TOO_SHORT' }] },
    })
    t.match(await answer(owner, 'med_nobody', { text }), { status: 404 })

    const pdf = base64('%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n')
    const jpeg = base64('\xff\xd8\xff\xe0 picture \xff\xd9')
    const files = [
      { name: ' order.pdf ', content: pdf },
      { name: 'signed.png', content: png },
      { name: 'door.jpg', content: jpeg },
    ]
    const defended = await answer(support, med.id, { text: ` ${text} `, files })
    t.match(defended, {
      status: 200,
      body: {
        status: 'OPEN',
        defense: {
          text,
          files: [
            { name: 'order.pdf', mediaType: 'application/pdf', size: 30, sha256: /^[0-9a-f]{64}$/ },
            { name: 'signed.png', mediaType: 'image/png' },
            { name: 'door.jpg', mediaType: 'image/jpeg' },
          ],
        },
      },
    })
    t.match(await answer(support, med.id, { text }), { status: 409, body: { currentStatus: 'OPEN' } })
    t.match((await byKey('GET', `/v1/transactions/${med.transactionId}`)).body.meds, [
      { defense: { files: [{}, {}, {}] } },
    ])
    const acts = (await owner('GET', `/v1/audit?objectId=${med.id}`)).body.data
    t.match(acts, [{ action: 'defendMed', object: { type: 'med', id: med.id } }])

    const contest = (by: any, id: string, body: object) => by('POST', `/v1/meds/${id}/contest`, body)
    t.match(await contest(owner, med.id, { text }), { status: 409, body: { currentStatus: 'OPEN' } })
    await byKey('POST', `/v1/sandbox/meds/${med.id}/close`, { result: 'ACCEPTED' })
    const before = await balance()
    t.match(await contest(byKey, med.id, { text }), { status: 403, body: { code: 'DASHBOARD_ONLY' } })
    t.match(await contest(owner, med.id, { text, files: [{ name: 'a.png', content: png }] }), {
      status: 200,
      body: { contestUntil: /Z$/, contest: { status: 'UNDER_REVIEW', files: [{ name: 'a.png' }] } },
    })
    const resolve = (id: string, result: string) =>
      byKey('POST', `/v1/sandbox/meds/${id}/contest/resolve`, { result })
    t.match(await resolve(med.id, 'WON'), {
      status: 200,
      body: { result: 'ACCEPTED', contest: { status: 'WON' } },
    })
    t.equal(BigInt((await balance()).available), BigInt(before.available) + 10_000n)
    t.match(await resolve(med.id, 'WON'), { status: 409 })
    t.match(await contest(owner, med.id, { text }), { status: 409, body: { currentStatus: 'WON' } })
    const { days } = (await owner('GET', '/v1/statement')).body
    t.match(days[0].lines[0], { type: 'MED', amount: '10000', objectId: med.transactionId })
    t.equal(days[0].lines[0].balanceAfter, (await balance()).available)

    await answer(owner, operational.id, { text: 'This is winning_evidence: the bank sent it twice.' })
    await byKey('POST', '/v1/sandbox/clock/advance', { by: 'PT5S' })
    t.match((await byKey('GET', `/v1/transactions/${operational.transactionId}`)).body, {
      status: 'APPROVED',
      meds: [{ status: 'CLOSED', result: 'REJECTED' }],
    })
    t.match(await contest(owner, operational.id, { text }), { status: 409 })
  },
)

story(
  'cards have a known brand, and beneficiaries a bank by either of its names',
  { people: [{ roles: rolesOf('OWNER') }] },
  async (t, { call: byKey, members }) => {
    for (const brand of ['DINERS', '', 'visa '])
      t.match(
        await byKey('POST', '/v1/card-payments', {
          amount: 100,
          card: { token: 'tok', brand, last4: '4242' },
        }),
        { status: 400, body: { errors: [{ field: 'card.brand', code: 'INVALID_VALUE' }] } },
      )
    t.match(
      await byKey('POST', '/v1/card-payments', {
        amount: 100,
        card: { token: 'tok', brand: 'ELO', last4: '4242' },
      }),
      { status: 201, body: { card: { brand: 'ELO' } } },
    )

    const owner = members[0]!.call
    let number = 0
    const register = async (bank: object, account = String(++number)) =>
      owner(
        'POST',
        '/v1/beneficiaries',
        {
          name: 'Comercial Aurora Ltda',
          document: '11444777000161',
          branch: '1',
          account,
          accountType: 'CHECKING',
          ...bank,
        },
        { 'Service-Second-Factor': 'passkey' },
      )
    t.match(await register({ ispb: '60701190' }), {
      status: 201,
      body: { bankCode: '341', ispb: '60701190' },
    })
    t.match(await register({ bankCode: '341' }), { status: 201, body: { bankCode: '341', ispb: '60701190' } })
    t.match(await register({ ispb: '99999999' }), { status: 201, body: { bankCode: null, ispb: '99999999' } })
    t.match(await register({ bankCode: '999' }), { status: 201, body: { bankCode: '999', ispb: null } })
    t.match(
      await register({ ispb: '60701190' }, '2'),
      { status: 409, body: { code: 'DUPLICATE' } },
      'one account is one payee, whichever name its bank was given by',
    )
    t.match(await register({ bankCode: '341', ispb: '60701190' }), {
      status: 400,
      body: { errors: [{ field: 'ispb', code: 'MUTUALLY_EXCLUSIVE' }] },
    })
    t.match(await register({}), { status: 400, body: { errors: [{ field: 'bankCode', code: 'REQUIRED' }] } })
    for (const ispb of ['341', '6070119', '607011900', '6070119a'])
      t.match(await register({ ispb }), {
        status: 400,
        body: { errors: [{ field: 'ispb', code: 'INVALID_FORMAT' }] },
      })
  },
)
