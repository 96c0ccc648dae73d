import type { Step } from './story.ts'

/** A page for one payer, then a link for many. */
export const checkout: readonly Step[] = [
  {
    operation: 'createCheckoutSession',
    title: 'By PIX or in up to six instalments',
    body: {
      items: [
        { name: 'Curso de barista', quantity: 1, unitAmount: 19900 },
        { name: 'Apostila', quantity: 2, unitAmount: 2500 },
      ],
      methods: ['PIX', 'CREDIT_CARD'],
      installments: { max: 6, interestFreeUpTo: 3, monthlyRateBps: 199 },
      externalId: 'pedido-1001',
      successUrl: 'https://loja.example.com/obrigado?pedido={SESSION_ID}',
      cancelUrl: 'https://loja.example.com/carrinho',
    },
    keep: 'session',
  },
  {
    operation: 'createCheckoutSession',
    title: 'The items do not add up, and a script is no address',
    body: {
      amount: 100,
      items: [{ name: 'Café', quantity: 1, unitAmount: 500 }],
      successUrl: 'javascript:alert(1)',
    },
    refused: 400,
  },
  { operation: 'getCheckoutSession', title: 'Nobody has paid yet', id: '{session.id}' },
  { operation: 'listCheckoutSessions', title: 'Of an order', query: { externalId: 'pedido-1001' } },
  { operation: 'expireCheckoutSession', title: 'The order was cancelled', id: '{session.id}' },
  { operation: 'expireCheckoutSession', title: 'It has expired', id: '{session.id}', refused: 409 },
  {
    operation: 'createCheckoutSession',
    title: 'A subscription',
    body: {
      mode: 'SUBSCRIPTION',
      planId: '{dearer.id}',
      externalId: 'clube-2002',
      successUrl: 'https://loja.example.com/bem-vindo',
    },
  },
  {
    operation: 'createPortalSession',
    title: 'For a customer who has signed in at the shop',
    body: { customerId: '{customer.id}', returnUrl: 'https://loja.example.com/conta' },
  },
  {
    operation: 'createPortalSession',
    title: 'Nobody has this id',
    body: { customerId: 'cus_00000000000000000000000000' },
    refused: 422,
  },
  { operation: 'getPortal', title: 'Where customers ask for a link' },
  {
    operation: 'createPaymentLink',
    title: 'A course for thirty people',
    body: {
      name: 'Curso, turma de maio',
      title: 'Curso de barista',
      amount: 24900,
      installments: { max: 6, interestFreeUpTo: 3, monthlyRateBps: 199 },
      maxPayments: 30,
      customFields: [
        { key: 'tamanho', label: 'Tamanho da camiseta', type: 'OPTION', options: ['P', 'M', 'G'] },
      ],
    },
    keep: 'link',
  },
  {
    operation: 'createPaymentLink',
    title: 'A donation of any amount',
    body: {
      name: 'Doações',
      title: 'Ajude o abrigo',
      amountMode: 'OPEN',
      minAmount: 1000,
      maxAmount: 500000,
      suggestedAmounts: [2500, 5000, 10000],
      methods: ['PIX'],
    },
  },
  { operation: 'getPaymentLink', title: 'With what was paid at it', id: '{link.id}' },
  { operation: 'getPaymentLinkQr', title: 'To print', id: '{link.id}', query: { format: 'svg' } },
  { operation: 'listPaymentLinks', title: 'Those that can be paid', query: { status: 'ACTIVE' } },
  { operation: 'updatePaymentLink', title: 'More places', id: '{link.id}', body: { maxPayments: 40 } },
  { operation: 'deactivatePaymentLink', title: 'No new payments', id: '{link.id}' },
  { operation: 'getCheckoutBranding', title: 'As the pages look' },
]
