import { pngOf } from '../../../gateway/documents/qr-code/picture.ts'
import type { Call } from '../service.ts'
import type { Step } from './story.ts'

/** Does a step as a person, and records what was sent and what came back. */
export type DoesStep = (call: Call, step: Step) => Promise<any>

/** What people do with their company, keys, endpoints and deliveries: every operation at least once. */
export const playReserved = async (
  /** A person who may do all of it, whose second factor was given just now. */
  call: Call,
  /** The same person with a second factor for each operation. */
  confirming: Call,
  /** Another one, likewise. */
  colleague: Call,
  /** A merchant's server, and the wait until it has heard so many events. */
  receiver: { readonly url: string; readonly count: (count: number) => Promise<unknown> },
  does: DoesStep,
): Promise<void> => {
  const company = await does(call, { operation: 'getCompany', title: 'As it was registered' })
  await does(call, { operation: 'search', title: 'By a name', query: { q: 'Ana' } })
  await does(call, {
    operation: 'changeCompany',
    title: 'A trade name and a seat',
    body: {
      tradeName: 'Loja Azul',
      email: 'contato@lojaazul.example.com',
      statementDescriptor: 'LOJA AZUL',
      address: {
        street: 'Rua da Aurora',
        number: '12',
        district: 'Boa Vista',
        city: 'Recife',
        state: 'PE',
        zip: '50050-000',
      },
    },
  })
  const image = pngOf('azul', 3).toString('base64')
  await does(call, { operation: 'setCompanyLogo', title: 'A square PNG', body: { image } })
  await does(call, {
    operation: 'changeCheckoutBranding',
    title: 'A colour, a contact, and what payers can do',
    body: {
      displayName: 'Loja Azul',
      accent: '#1f5fa8',
      supportEmail: 'ajuda@lojaazul.example.com',
      termsUrl: 'https://lojaazul.example.com/termos',
      thankYouText: 'Obrigado! O pedido sai amanhã.',
      portal: { cancel: true },
      cardLimits: { declinesPerHour: 30 },
    },
  })
  await does(call, { operation: 'getBranding', title: 'Its logo', query: { companyId: company.id } })
  await does(call, { operation: 'getGoLiveChecklist', title: 'After the logo' })

  await does(call, { operation: 'getApprovalPolicy', title: 'As every company begins' })
  await does(confirming, {
    operation: 'setApprovalPolicy',
    title: 'Two approve from R$ 1,000 on',
    body: {
      enabled: true,
      thresholdAmount: '100000',
      personDailyAmount: '2000000',
      newBeneficiaryAmount: '100000',
      required: 2,
      expiresAfterHours: 72,
    },
  })
  await does(call, { operation: 'getLimits', title: 'As every company begins' })
  const wider = {
    pixDayAmount: '20000000',
    pixNightAmount: '1000000',
    nightStartsAt: '20:00',
    tedDayAmount: '25000000',
    cryptoDayAmount: '5000000',
    newBeneficiaryDayAmount: '100000',
  }
  const set = await does(confirming, {
    operation: 'setLimits',
    title: 'Less at night at once, more by day after approval',
    body: wider,
  })
  await does(colleague, {
    operation: 'approveControlChange',
    title: 'By another person',
    id: set.pending[0].changeId,
  })
  await does(call, { operation: 'listControlChanges', title: 'All of them' })
  await does(confirming, {
    operation: 'rejectControlChange',
    title: 'Before it counts',
    id: set.pending[0].changeId,
  })

  await connectBank(inProduction(call), inProduction(confirming), does)
  await resolveSuspense(call, confirming, colleague, does)

  const ticket = await does(call, {
    operation: 'createTicket',
    title: 'About a payment',
    body: {
      subject: 'O PIX foi pago, e a cobrança continua aberta',
      category: 'PAYMENT',
      priority: 'URGENT',
      text: 'O cliente enviou o comprovante. Onde está o dinheiro?',
    },
  })
  await does(call, {
    operation: 'answerTicket',
    title: 'One more message',
    id: ticket.id,
    body: { text: 'Acabou de chegar. Obrigada!' },
  })
  await does(call, { operation: 'getTicket', title: 'With its messages', id: ticket.id })
  await does(call, { operation: 'closeTicket', title: 'Settled', id: ticket.id })
  await does(call, { operation: 'listTickets', title: 'Closed ones', query: { status: 'CLOSED' } })

  await does(call, { operation: 'listNotices', title: 'Unread ones', query: { unread: 'true' }, rows: 1 })
  await does(call, { operation: 'readNotices', title: 'All of them', body: {} })
  await does(call, { operation: 'getNoticePreferences', title: 'As they are' })
  await does(call, {
    operation: 'setNoticePreferences',
    title: 'Disputes by mail',
    body: { mail: { CHARGEBACK_OPENED: true, MED_OPENED: true } },
  })

  await does(call, {
    operation: 'setReminders',
    title: 'Three days before, on the day, two days after',
    body: { days: [-3, 0, 2] },
  })
  await does(call, { operation: 'getReminders', title: 'As they are' })
  const { id: noted } = await does(call, {
    operation: 'createCustomer',
    title: 'A company',
    body: { name: 'Padaria Central', document: '11444777000161' },
  })
  const note = await does(call, {
    operation: 'addNote',
    title: 'About a customer',
    body: { objectId: noted, text: 'Prefere boleto, sempre no dia 10.' },
  })
  await does(call, { operation: 'listNotes', title: 'About a customer', query: { objectId: noted } })
  await does(call, { operation: 'deleteNote', title: 'For good', id: note.id })

  const view = await does(call, {
    operation: 'saveView',
    title: 'Filters of a list',
    body: { page: 'transacoes', name: 'Pendentes', query: 'status=PENDING' },
  })
  await does(call, { operation: 'listViews', title: 'All of them' })
  await does(call, { operation: 'deleteView', title: 'For good', id: view.id })

  const key = await does(confirming, {
    operation: 'createApiKey',
    title: 'For one server',
    body: {
      name: 'Loja virtual',
      scopes: ['charges.create', 'charges.read'],
      ipAllowList: ['203.0.113.0/24'],
      expiresAt: `${new Date().getUTCFullYear() + 1}-12-31T00:00:00.000Z`,
    },
  })
  await does(call, {
    operation: 'changeApiKey',
    title: 'Fewer scopes',
    id: key.id,
    body: { scopes: ['charges.read'] },
  })
  const rolled = await does(confirming, {
    operation: 'rollApiKey',
    title: 'Both work for an hour',
    id: key.id,
    body: { overlapSeconds: 3600 },
  })
  await does(call, { operation: 'revokeApiKey', title: 'At once', id: rolled.id })
  await does(call, { operation: 'listApiKeys', title: 'All of them' })
  await does(call, {
    operation: 'listKeyRequests',
    title: 'Refused ones',
    id: key.id,
    query: { statusClass: '4xx' },
  })

  await does(call, { operation: 'listWebhookEventTypes', title: 'The first two', rows: 2 })
  const endpoint = await does(call, {
    operation: 'createWebhookEndpoint',
    title: 'For some events',
    body: { url: receiver.url, description: 'Pedidos', events: ['payment.approved', 'payment.failed'] },
  })
  const { id } = endpoint
  const test = await does(call, {
    operation: 'testWebhookEndpoint',
    title: 'A sample',
    id,
    body: { type: 'payment.approved' },
  })
  await receiver.count(1)
  const path = `/v1/webhooks/deliveries/${test.deliveryId}`
  while ((await call('GET', path)).body.status !== 'SUCCEEDED');
  await does(call, { operation: 'getDelivery', title: 'Accepted', id: test.deliveryId })
  await does(call, { operation: 'listDeliveries', title: 'Accepted ones', query: { status: 'SUCCEEDED' } })
  await does(call, { operation: 'getWebhookEndpoint', title: 'With its health', id })
  await does(call, { operation: 'listWebhookEndpoints', title: 'All of them' })
  await does(confirming, {
    operation: 'rollWebhookSecret',
    title: 'Both sign for an hour',
    id,
    body: { overlapSeconds: 3600 },
  })
  await does(call, { operation: 'resendDelivery', title: 'Once more', id: test.deliveryId })
  // Nobody listens at this one, so its delivery waits for another attempt.
  const silent = { url: receiver.url.replace(/:\d+/, ':1'), events: ['payment.failed'] }
  const { body: deaf } = await call('POST', '/v1/webhooks/endpoints', silent)
  const { body: sample } = await call('POST', `/v1/webhooks/endpoints/${deaf.id}/test`, {
    type: 'payment.failed',
  })
  const waiting = `/v1/webhooks/deliveries/${sample.deliveryId}`
  while ((await call('GET', waiting)).body.status !== 'RETRYING');
  await does(call, { operation: 'retryDelivery', title: 'The receiver is back', id: sample.deliveryId })
  await call('DELETE', `/v1/webhooks/endpoints/${deaf.id}`)
  await does(call, {
    operation: 'resendDeliveries',
    title: 'The failure queue of an endpoint',
    body: { endpointId: id, status: ['EXHAUSTED'] },
  })
  await does(call, {
    operation: 'replayToWebhookEndpoint',
    title: 'What it has missed',
    id,
    body: { from: '2026-06-01', to: '2026-06-02' },
  })
  await does(call, {
    operation: 'changeWebhookEndpoint',
    title: 'Disabled',
    id,
    body: { status: 'DISABLED' },
  })
  await does(call, { operation: 'deleteWebhookEndpoint', title: 'For good', id })

  while ((await call('GET', `/v1/audit?objectId=${id}`)).body.data[0]?.action !== 'webhooks delete');
  await does(call, {
    operation: 'listAuditEntries',
    title: 'What was done to an endpoint',
    query: { objectId: id, pageSize: '3' },
  })
  await does(call, { operation: 'exportAuditEntries', title: 'What keys did', query: { actor: 'KEY' } })
  await does(call, { operation: 'verifyAuditLog', title: 'As it was written' })
}

/** The same person where money is real. */
const inProduction =
  (call: Call): Call =>
  (verb, path, body) =>
    call(verb, path, body, { 'Service-Environment': 'PRODUCTION' })

/** Money that belongs to nothing, and what people can do with it. */
const resolveSuspense = async (
  call: Call,
  confirming: Call,
  colleague: Call,
  does: DoesStep,
): Promise<void> => {
  const receive = (title: string, amount: number) =>
    does(call, { operation: 'receiveUnmatchedSandboxPix', title, body: { amount } })
  const known = await receive('For a charge of another program', 4500)
  const deposit = await does(call, {
    operation: 'assignSuspense',
    title: 'As a deposit',
    id: known.id,
    body: {},
  })
  const { data: received } = (await call('GET', '/v1/pix/received?pageSize=1')).body
  await does(call, {
    operation: 'repeatReturn',
    title: 'Of a PIX that does not go back',
    id: deposit.transactionId,
    body: { receivedPixId: received[0].id },
    refused: 404,
  })
  const foreign = await receive('One more', 9900)
  await does(confirming, { operation: 'returnSuspense', title: 'To its payer', id: foreign.id })
  const gone = await receive('That the bank takes back', 120)
  const body = { reason: 'O banco estornou o crédito no dia seguinte.' }
  await does(confirming, { operation: 'writeOffSuspense', title: 'Proposed', id: gone.id, body })
  await does(colleague, { operation: 'writeOffSuspense', title: 'By another person', id: gone.id, body })
  await does(call, { operation: 'getSuspense', title: 'Written off by two people', id: gone.id })
  await does(call, { operation: 'listSuspense', title: 'What was returned', query: { status: 'RETURNED' } })
  const compare = (title: string, more: object) =>
    does(call, { operation: 'compareSandboxDay', title, body: { amount: 8000, ...more } })
  await compare('Equal', { date: '2026-06-01' })
  const { id } = await compare('With a payment that is missing here', {
    date: '2026-06-02',
    difference: 'MISSING_HERE',
  })
  await does(call, { operation: 'getReconciliation', title: 'With what differs', id })
  await does(call, { operation: 'exportReconciliation', title: 'As CSV', id })
  await does(call, {
    operation: 'giveStatement',
    title: 'A statement in OFX',
    id,
    body: { file: Buffer.from(statementOf('20260602')).toString('base64') },
  })
  await does(call, {
    operation: 'acceptReconciliation',
    title: 'With a reason',
    id,
    body: { reason: 'O pagamento é de outra loja do grupo.' },
  })
  await does(call, {
    operation: 'listReconciliations',
    title: 'Accepted ones',
    query: { status: 'ACCEPTED' },
  })
}

/** A bank's statement of one day, with one PIX. */
const statementOf = (day: string): string =>
  [
    'OFXHEADER:100',
    'DATA:OFXSGML',
    'VERSION:102',
    '',
    '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL',
    '<BANKACCTFROM><BANKID>077<BRANCHID>0001<ACCTID>1234567<ACCTTYPE>CHECKING</BANKACCTFROM>',
    `<BANKTRANLIST><DTSTART>${day}<DTEND>${day}`,
    `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>80.00<FITID>1<MEMO>Pix recebido</STMTTRN>`,
    '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
  ].join('\n')

/** A bank from its first credentials to the end. */
const connectBank = async (call: Call, confirming: Call, does: DoesStep): Promise<void> => {
  await does(call, { operation: 'listConnectionProviders', title: 'Those that there are' })
  const { id } = await does(confirming, {
    operation: 'createConnection',
    title: 'To a bank, for PIX',
    body: {
      provider: 'efi',
      rails: ['PIX'],
      settings: {
        clientId: 'Client_Id_7d2e',
        clientSecret: 'Client_Secret_41c0',
        pixKey: '71cdf9ba-c695-4e3c-b010-abb521a3f1be',
        merchantName: 'Loja Azul',
        merchantCity: 'Recife',
      },
    },
  })
  await does(call, { operation: 'verifyConnection', title: 'It answers', id })
  await does(confirming, { operation: 'activateConnection', title: 'New charges go by it', id })
  await does(call, { operation: 'suspendConnection', title: 'For a while', id })
  await does(confirming, { operation: 'resumeConnection', title: 'Once more', id })
  // Before its credentials change: whether the bank takes what is restored is known only when a node has asked it.
  await does(call, { operation: 'getConnection', title: 'By its id', id })
  await does(confirming, {
    operation: 'rotateConnection',
    title: 'A secret alone',
    id,
    body: { settings: { clientSecret: 'Client_Secret_95aa' } },
  })
  await does(confirming, { operation: 'restoreConnection', title: 'The secret before', id })
  await does(confirming, { operation: 'retireConnection', title: 'For good', id })
  await does(call, { operation: 'listConnections', title: 'Retired ones, too' })
}
