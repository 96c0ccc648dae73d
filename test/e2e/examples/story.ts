import { checkout } from './checkout.ts'

/**
 * One exchange after the other, as a merchant would have them: every operation at least once. What `{name.path}` stands
 * for comes from an earlier answer, which was kept under this name.
 */
export type Step = {
  readonly operation: string
  readonly title: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly keep?: string
  /** How many rows of a long list are recorded. */
  readonly rows?: number
  /** Whether the story only needs it: nobody would do so. */
  readonly hidden?: true
  /** The status of a step that shows how the operation refuses. */
  readonly refused?: number
}

const ana = {
  name: 'Ana Souza',
  document: '123.456.789-09',
  email: 'ana.souza@example.com',
  phone: '(11) 98765-4321',
}
const card = {
  token: 'tok_test_approved',
  brand: 'VISA',
  last4: '4242',
  bin: '424242',
  holderName: 'ANA SOUZA',
}
const cardWith = (token: string) => ({ ...card, token })
/** A boleto is payable at most five years ahead: this day is one as long as the examples are. */
const dueDate = '2030-12-20'

const customers: readonly Step[] = [
  {
    operation: 'createCustomer',
    title: 'A person',
    body: { ...ana, externalId: 'customer-77', metadata: { segment: 'vip' } },
    keep: 'customer',
  },
  { operation: 'getCustomer', title: 'A person', id: '{customer.id}' },
  { operation: 'listCustomers', title: 'By document', query: { document: '12345678909' } },
  {
    operation: 'createCustomer',
    title: 'A name is missing',
    body: { document: '12345678900', email: 'ana' },
    refused: 400,
  },
]

const pix: readonly Step[] = [
  {
    operation: 'createPixCharge',
    title: 'Payable for an hour',
    body: {
      amount: 1990,
      description: 'Pedido 1001',
      customer: ana,
      externalId: 'order-1001',
      metadata: { cart: 'c-77' },
    },
    keep: 'charge',
  },
  { operation: 'createPixCharge', title: 'Only an amount', body: { amount: '1990' }, keep: 'unwanted' },
  {
    operation: 'createPixCharge',
    title: 'For a registered customer, payable for a day',
    body: { amount: 12990, customerId: '{customer.id}', expiresInSeconds: 86400, reference: 'Mesa 12' },
    keep: 'late',
  },
  { operation: 'sendCharge', title: 'By e-mail', id: '{charge.id}', body: {} },
  { operation: 'paySandboxPixCharge', title: 'By the customer', id: '{charge.id}', body: {} },
  { operation: 'getPixCharge', title: 'Paid', id: '{charge.id}' },
  {
    operation: 'setFiscalDocuments',
    title: 'The NF-e of the sale',
    id: '{charge.id}',
    body: { fiscalDocuments: ['35261212345678000195550010000001231123456781'] },
  },
  { operation: 'getPixChargeQrCode', title: 'Larger', id: '{charge.id}', query: { size: '12' } },
  { operation: 'cancelPixCharge', title: 'Before it is paid', id: '{unwanted.id}' },
  { operation: 'cancelPixCharge', title: 'A second time', id: '{unwanted.id}', refused: 409 },
  { operation: 'expireSandboxPixCharge', title: 'Now', id: '{late.id}' },
  { operation: 'listPixCharges', title: 'Paid ones', query: { status: 'APPROVED', pageSize: '10' } },
  {
    operation: 'createPixDeposit',
    title: 'Payable for half an hour',
    body: { amount: 50000, expiresInSeconds: 1800, description: 'Aporte' },
    keep: 'deposit',
  },
  { operation: 'getPixDeposit', title: 'Not paid yet', id: '{deposit.id}' },
  { operation: 'getPixDepositQrCode', title: 'As it comes', id: '{deposit.id}' },
  { operation: 'listPixDeposits', title: 'All', query: { page: '1' } },
  {
    operation: 'cancelTransaction',
    title: 'Not needed any more',
    id: '{deposit.id}',
    body: { reason: 'Pedido cancelado' },
  },
  {
    operation: 'receiveSandboxPix',
    title: 'From somebody',
    body: { amount: 3000, payer: { name: 'Bruno Lima', document: '98765432100', ispb: '18236120' } },
  },
  { operation: 'listReceivedPix', title: 'Received', query: { status: 'RECEIVED' } },
  { operation: 'listPixKeys', title: 'All' },
  {
    operation: 'refundTransaction',
    title: 'A part',
    id: '{charge.id}',
    body: { amount: 500, reason: 'Item em falta' },
  },
  {
    operation: 'refundTransaction',
    title: 'More than is left',
    id: '{charge.id}',
    body: { amount: 5000 },
    refused: 422,
  },
  {
    operation: 'openSandboxMed',
    title: 'All that is left',
    id: '{charge.id}',
    body: { reason: 'FRAUD' },
    keep: 'med',
  },
  // Its example shows what people defend: `disputes.ts` tells it.
  { operation: 'listMeds', title: 'Open ones', query: { status: 'OPEN' }, hidden: true },
  { operation: 'closeSandboxMed', title: 'Rejected', id: '{med.id}', body: { result: 'REJECTED' } },
  { operation: 'getPixOverview', title: 'This month' },
]

const cards: readonly Step[] = [
  {
    operation: 'createCardPayment',
    title: 'Three instalments',
    body: {
      amount: 30000,
      installments: 3,
      card,
      customer: ana,
      description: 'Pedido 1002',
      externalId: 'order-1002',
    },
    keep: 'payment',
  },
  {
    operation: 'createCardPayment',
    title: 'Authorized only',
    body: { amount: 15000, capture: false, card },
    keep: 'held',
  },
  {
    operation: 'createCardPayment',
    title: 'Declined: insufficient funds',
    body: { amount: 9900, card: cardWith('tok_test_declined_51') },
  },
  { operation: 'captureCardPayment', title: 'A part', id: '{held.id}', body: { amount: 12000 } },
  { operation: 'cancelCardPayment', title: 'After the capture', id: '{held.id}' },
  { operation: 'getCardPayment', title: 'Three instalments', id: '{payment.id}' },
  { operation: 'listCardTransactions', title: 'Paid ones', query: { status: 'APPROVED' } },
  {
    operation: 'createCardPayment',
    title: 'The acquirer is silent',
    body: { amount: 7000, card: cardWith('tok_test_timeout') },
    keep: 'unsure',
  },
  {
    operation: 'resolveSandboxCardPayment',
    title: 'Declined',
    id: '{unsure.id}',
    body: { result: 'DECLINED', providerCode: '91' },
  },
  {
    operation: 'openSandboxChargeback',
    title: 'The whole payment',
    id: '{payment.id}',
    body: { reason: 'PRODUCT_NOT_RECEIVED' },
    keep: 'chargeback',
  },
  { operation: 'listChargebacks', title: 'Open ones', query: { status: 'OPEN,UNDER_REVIEW' } },
  {
    operation: 'disputeChargeback',
    title: 'With proof of delivery',
    id: '{chargeback.id}',
    body: { text: 'Entregue em 12/06 no endereço do portador, com assinatura. Rastreio BR123456789.' },
  },
  {
    operation: 'resolveSandboxChargeback',
    title: 'Won',
    id: '{chargeback.id}',
    body: { result: 'WON' },
  },
  { operation: 'settleSandboxTransaction', title: 'All instalments', id: '{payment.id}' },
  {
    operation: 'createCardPayment',
    title: 'Its refunds are slow',
    body: { amount: 8000, card: cardWith('tok_test_refund_slow') },
    keep: 'slow',
    hidden: true,
  },
  { operation: 'refundTransaction', title: 'In full', id: '{slow.id}', body: {}, keep: 'refund' },
  {
    operation: 'resolveSandboxRefund',
    title: 'Confirmed',
    id: '{refund.id}',
    body: { result: 'COMPLETED' },
  },
  { operation: 'getCardFees', title: 'All' },
]

const boletos: readonly Step[] = [
  {
    operation: 'createBoleto',
    title: 'With fine, interest and discount',
    body: {
      amount: 25000,
      customer: ana,
      dueDate,
      fineBps: 200,
      interestBps: 100,
      discountAmount: 500,
      instructions: 'Não receber após 59 dias do vencimento.',
      externalId: 'order-1003',
    },
    keep: 'boleto',
  },
  {
    operation: 'createBoleto',
    title: 'Only what is required',
    body: { amount: 9900, customer: { name: 'Bruno Lima', document: '987.654.321-00' }, dueDate },
    keep: 'withdrawn',
  },
  { operation: 'getBoleto', title: 'Not paid yet', id: '{boleto.id}' },
  { operation: 'getBoletoPdf', title: 'Not paid yet', id: '{boleto.id}' },
  { operation: 'getBoletoQrCode', title: 'As it comes', id: '{boleto.id}' },
  { operation: 'cancelBoleto', title: 'Before it is paid', id: '{withdrawn.id}' },
  {
    operation: 'createBoleto',
    title: 'For a registered customer',
    body: { amount: 5000, customerId: '{customer.id}', dueDate },
    keep: 'forgotten',
  },
  { operation: 'expireSandboxBoleto', title: 'Now', id: '{forgotten.id}' },
  {
    operation: 'paySandboxBoleto',
    title: 'The money arrives at once',
    id: '{boleto.id}',
    body: { clearing: 'IMMEDIATE' },
  },
  { operation: 'listBoletos', title: 'Paid ones', query: { status: 'PAID' } },
]

const everyPlan = { interval: 'MONTH', methods: ['PIX', 'BOLETO', 'CREDIT_CARD'] }

const recurring: readonly Step[] = [
  {
    operation: 'createPlan',
    title: 'Monthly',
    body: { name: 'Pro', amount: 4900, ...everyPlan, metadata: { tier: 'pro' } },
    keep: 'plan',
  },
  {
    operation: 'createPlan',
    title: 'Every ten days, with a trial and a setup fee',
    body: {
      name: 'Dez dias',
      amount: '990',
      interval: 'CUSTOM',
      intervalCount: 10,
      trialDays: 7,
      setupFee: 500,
      methods: ['PIX'],
    },
    keep: 'spare',
  },
  {
    operation: 'createPlan',
    title: 'More',
    body: { name: 'Max', amount: 9900, ...everyPlan },
    keep: 'dearer',
  },
  { operation: 'getPlan', title: 'Monthly', id: '{plan.id}' },
  { operation: 'listPlans', title: 'Those that are sold', query: { active: 'true' } },
  {
    operation: 'updatePlan',
    title: 'A new price',
    id: '{spare.id}',
    body: { amount: '1290', trialDays: 14 },
  },
  {
    operation: 'createCoupon',
    title: '10 % for three cycles',
    body: {
      code: 'WELCOME10',
      name: 'Boas-vindas',
      discountType: 'PERCENT',
      percentBps: 1000,
      duration: 'REPEATING',
      durationCycles: 3,
      planIds: ['{plan.id}'],
    },
    keep: 'coupon',
  },
  {
    operation: 'createCoupon',
    title: 'A fixed amount, for the first hundred',
    body: { code: 'FIRST-100', discountType: 'FIXED', amountOff: 1500, maxRedemptions: 100 },
    keep: 'fixed',
  },
  {
    operation: 'validateCoupon',
    title: 'It can be redeemed',
    query: { code: 'welcome10', planId: '{plan.id}' },
  },
  { operation: 'updateCoupon', title: 'More of them', id: '{fixed.id}', body: { maxRedemptions: 200 } },
  { operation: 'listCoupons', title: 'Those that can be redeemed', query: { status: 'ACTIVE' } },
  {
    operation: 'setDunningPolicy',
    title: 'Of one plan',
    body: {
      planId: '{plan.id}',
      enabled: true,
      retryDays: [1, 3, 5, 7],
      finalAction: 'SUSPEND',
      retryHour: 9,
    },
  },
  { operation: 'getDunning', title: 'The company’s, and one of a plan' },
  { operation: 'deletePlanDunningPolicy', title: 'Of one plan', id: '{plan.id}' },
  {
    operation: 'createSubscription',
    title: 'By card, with a coupon',
    body: {
      planId: '{plan.id}',
      customerId: '{customer.id}',
      method: 'CREDIT_CARD',
      card,
      couponCode: 'WELCOME10',
    },
    keep: 'subscription',
  },
  {
    operation: 'createSubscription',
    title: 'By PIX, with a new customer',
    body: {
      planId: '{plan.id}',
      customer: { name: 'Bruno Lima', document: '987.654.321-00', email: 'bruno@example.com' },
      method: 'PIX',
    },
    keep: 'byPix',
  },
  {
    operation: 'createSubscription',
    title: 'By Pix Automático',
    body: {
      planId: '{plan.id}',
      customer: { name: 'Carla Dias', document: '111.444.777-35', email: 'carla@example.com' },
      method: 'PIX',
      pixAutomatic: { journey: 'QR_WITH_PAYMENT' },
    },
    keep: 'automatic',
  },
  {
    operation: 'paySandboxPixCharge',
    title: 'The code that also offers the mandate',
    id: '{automatic.latestInvoice.payment.transactionId}',
    hidden: true,
  },
  {
    operation: 'resolveSandboxMandate',
    title: 'The payer accepts',
    id: '{automatic.pixMandate.id}',
    body: { result: 'ACCEPTED' },
  },
  { operation: 'getSubscription', title: 'By card', id: '{subscription.id}' },
  { operation: 'listSubscriptions', title: 'Active ones', query: { status: 'ACTIVE,PAST_DUE' } },
  {
    operation: 'changePlan',
    title: 'What it would come to',
    id: '{subscription.id}',
    body: { planId: '{dearer.id}', preview: true },
  },
  {
    operation: 'changePlan',
    title: 'At the end of the period',
    id: '{subscription.id}',
    body: { planId: '{dearer.id}', effective: 'PERIOD_END' },
  },
  { operation: 'pauseSubscription', title: 'Active', id: '{subscription.id}' },
  { operation: 'resumeSubscription', title: 'Paused', id: '{subscription.id}' },
  { operation: 'listInvoices', title: 'Open ones', query: { status: 'OPEN' } },
  {
    operation: 'retryInvoice',
    title: 'By another method',
    id: '{byPix.latestInvoice.id}',
    body: { method: 'CREDIT_CARD', card },
    keep: 'invoice',
  },
  { operation: 'getInvoice', title: 'Paid by the second attempt', id: '{invoice.id}' },
  { operation: 'getRecurringOverview', title: 'Now' },
  { operation: 'listSubscribers', title: 'Active ones', query: { status: 'ACTIVE' } },
  {
    operation: 'cancelSubscription',
    title: 'At the end of the period',
    id: '{subscription.id}',
    body: { reason: 'Cliente pediu', atPeriodEnd: true },
  },
  {
    operation: 'createSubscription',
    title: 'With a card that fails from its second attempt on',
    body: {
      planId: '{plan.id}',
      customerId: '{customer.id}',
      method: 'CREDIT_CARD',
      card: cardWith('tok_test_recurring_expires'),
    },
    keep: 'failing',
    hidden: true,
  },
  {
    operation: 'changePlan',
    title: 'The card is declined',
    id: '{failing.id}',
    body: { planId: '{dearer.id}', effective: 'NOW' },
    refused: 402,
  },
  { operation: 'deleteCoupon', title: 'Never redeemed', id: '{fixed.id}' },
  { operation: 'deletePlan', title: 'Never sold', id: '{spare.id}' },
]

const crypto: readonly Step[] = [
  {
    operation: 'createCryptoCharge',
    title: 'A price in reais',
    body: { amount: 10000, asset: 'USDT', network: 'TRON', externalId: 'order-1009' },
    keep: 'stablecoin',
  },
  {
    operation: 'createCryptoCharge',
    title: 'An amount of the asset',
    body: { cryptoAmount: '18.45', asset: 'USDC', network: 'SOLANA', expiresInSeconds: 1800 },
    keep: 'dropped',
  },
  {
    operation: 'createCryptoCharge',
    title: 'A network that does not carry the asset',
    body: { amount: 10000, asset: 'USDC', network: 'TRON' },
    refused: 400,
  },
  {
    operation: 'paySandboxCryptoCharge',
    title: 'Seen, and not confirmed',
    id: '{stablecoin.id}',
    body: { confirmations: 0 },
  },
  { operation: 'confirmSandboxCryptoCharge', title: 'Everything that was seen', id: '{stablecoin.id}' },
  { operation: 'getCryptoCharge', title: 'Paid', id: '{stablecoin.id}' },
  {
    operation: 'paySandboxCryptoCharge',
    title: 'Too little',
    id: '{dropped.id}',
    body: { cryptoAmount: '8.45', confirmations: 1 },
  },
  { operation: 'dropSandboxCryptoCharge', title: 'Everything that was seen', id: '{dropped.id}' },
  { operation: 'cancelCryptoCharge', title: 'Before it is paid', id: '{dropped.id}' },
  { operation: 'listCryptoCharges', title: 'Paid ones', query: { status: 'APPROVED' } },
  {
    operation: 'setSandboxCryptoRate',
    title: 'A dearer dollar',
    body: { asset: 'USDT', rate: '5.61' },
  },
]

const split: readonly Step[] = [
  {
    operation: 'createRecipient',
    title: 'A company',
    body: {
      name: 'Vendedora Ltda',
      document: '11.222.333/0001-81',
      email: 'financeiro@vendedora.example',
      bankCode: '341',
      branch: '1234',
      account: '56789-0',
    },
    keep: 'recipient',
  },
  { operation: 'getRecipient', title: 'A company', id: '{recipient.id}' },
  { operation: 'listRecipients', title: 'Active ones', query: { active: 'true' } },
  {
    operation: 'changeRecipient',
    title: 'Another account',
    id: '{recipient.id}',
    body: { branch: '4321', account: '98765-4' },
  },
  {
    operation: 'createSplitRule',
    title: '80 % for the seller, who pays the fee',
    body: {
      name: 'Marketplace 80/20',
      items: [
        { recipientId: '{recipient.id}', percentBps: 8000, chargeFees: true },
        { recipientId: null, percentBps: 2000 },
      ],
    },
    keep: 'rule',
  },
  { operation: 'getSplitRule', title: '80/20', id: '{rule.id}' },
  { operation: 'listSplitRules', title: 'Active ones', query: { active: 'true' } },
  { operation: 'changeSplitRule', title: 'Another name', id: '{rule.id}', body: { name: 'Padrão 80/20' } },
  {
    operation: 'simulateSplit',
    title: 'By a rule, in two instalments',
    body: { amount: 10000, ruleId: '{rule.id}', method: 'CREDIT_CARD', installments: 2 },
  },
  {
    operation: 'createPixCharge',
    title: 'Divided by a rule',
    body: { amount: 10000, splitRuleId: '{rule.id}' },
    keep: 'divided',
  },
  { operation: 'paySandboxPixCharge', title: 'With nothing said', id: '{divided.id}' },
  { operation: 'listSplitTransfers', title: 'To one recipient', query: { recipientId: '{recipient.id}' } },
  { operation: 'deleteSplitRule', title: 'It was used', id: '{rule.id}' },
  { operation: 'deleteRecipient', title: 'It was used', id: '{recipient.id}' },
]

const transactions: readonly Step[] = [
  { operation: 'getTransaction', title: 'A PIX that was refunded in part', id: '{charge.id}' },
  { operation: 'getTransaction', title: 'No such id', id: 'txn_01KTRE5Y000000000000000000', refused: 404 },
  {
    operation: 'listTransactions',
    title: 'Paid by PIX or card, the largest first',
    query: {
      status: 'APPROVED,PARTIALLY_REFUNDED',
      method: 'PIX,CREDIT_CARD',
      sort: 'amount:desc',
      pageSize: '2',
    },
  },
  { operation: 'getTransactionFacets', title: 'Of what was paid', query: { status: 'APPROVED' } },
  { operation: 'getOverview', title: 'Of the last 30 days' },
  {
    operation: 'exportTransactions',
    title: 'Boletos',
    query: { format: 'csv', method: 'BOLETO', sort: 'createdAt:asc' },
  },
]

const balance: readonly Step[] = [
  { operation: 'getBalance', title: 'Now' },
  { operation: 'getStatement', title: 'The last lines', query: { pageSize: '3' } },
  { operation: 'exportStatement', title: 'Of the last month' },
  { operation: 'getReceivablesAgenda', title: 'The next 90 days' },
  { operation: 'listReceivables', title: 'Credit cards', query: { method: 'CREDIT_CARD', pageSize: '2' } },
]

const sandbox: readonly Step[] = [
  {
    operation: 'seedSandboxTransaction',
    title: 'A stablecoin',
    body: { method: 'CRYPTO', status: 'APPROVED', amount: 185, currency: 'USDT', origin: 'CHECKOUT' },
  },
  { operation: 'sendSandboxEvent', title: 'payment.approved', body: { type: 'payment.approved' } },
  { operation: 'getSandboxClock', title: 'Real time' },
  { operation: 'advanceSandboxClock', title: 'By a day', body: { by: 'P1D' } },
  { operation: 'advanceSandboxClock', title: 'To the next invoices', body: { by: 'P27D' }, hidden: true },
  {
    operation: 'chargeSandboxMandate',
    title: 'The payer’s bank pays',
    id: '{automatic.pixMandate.id}',
    body: { result: 'PAID' },
  },
  { operation: 'advanceSandboxClock', title: 'Without a step', body: {}, refused: 400 },
  { operation: 'resetSandboxClock', title: 'Real time' },
  { operation: 'resetSandbox', title: 'Everything' },
]

/** What it is about, in its order. */
export const chapters: Readonly<Record<string, readonly Step[]>> = {
  Customers: customers,
  PIX: pix,
  Cards: cards,
  Boletos: boletos,
  Crypto: crypto,
  Recurring: recurring,
  Checkout: checkout,
  Split: split,
  Transactions: transactions,
  Balance: balance,
  Sandbox: sandbox,
}

export const story: readonly Step[] = Object.values(chapters).flat()
