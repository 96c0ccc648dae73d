import { t } from '../core/language.ts'
import type { PageEntry } from '../parts/shell.tsx'

/**
 * The pages of a company by the first segment of their address, in the order of the menu. The title, menu entry,
 * permission and component of a page stand here and nowhere else. Its code is loaded when it is first shown.
 */
export const pages = {
  inicio: {
    title: () => t.nav.home,
    menu: { group: null, icon: 'home', permission: 'transactions.read' },
    page: () => import('./home.tsx').then(({ Home }) => Home),
  },
  transacoes: {
    title: () => t.nav.transactions,
    menu: { group: null, icon: 'list', permission: 'transactions.read' },
    page: () => import('./payments/transactions.tsx').then(({ Transactions }) => Transactions),
    one: () => import('./payments/transaction.tsx').then(({ TransactionPage }) => TransactionPage),
  },
  pix: {
    title: () => t.nav.pix,
    menu: { group: 'receiving', icon: 'pix', permission: 'charges.read', product: 'PIX' },
    page: () => import('./payments/pix.tsx').then(({ Pix }) => Pix),
  },
  cartoes: {
    title: () => t.nav.cards,
    menu: { group: 'receiving', icon: 'card', permission: 'charges.read', product: 'CARD' },
    page: () => import('./payments/cards.tsx').then(({ Cards }) => Cards),
  },
  boletos: {
    title: () => t.nav.boletos,
    menu: { group: 'receiving', icon: 'barcode', permission: 'charges.read', product: 'BOLETO' },
    page: () => import('./payments/boletos.tsx').then(({ Boletos }) => Boletos),
    one: () => import('./payments/transaction.tsx').then(({ TransactionPage }) => TransactionPage),
  },
  cripto: {
    title: () => t.nav.crypto,
    menu: { group: 'receiving', icon: 'coin', permission: 'charges.read', product: 'CRYPTO' },
    page: () => import('./crypto/charges.tsx').then(({ Crypto }) => Crypto),
  },
  saldo: {
    title: () => t.nav.balance,
    menu: { group: 'money', icon: 'wallet', permission: 'balance.read' },
    page: () => import('./account/balance.tsx').then(({ Balance }) => Balance),
  },
  extrato: {
    title: () => t.nav.statement,
    menu: { group: 'money', icon: 'list', permission: 'balance.read' },
    page: () => import('./account/statement.tsx').then(({ Statement }) => Statement),
  },
  transferencias: {
    title: () => t.nav.transfers,
    menu: { group: 'money', icon: 'forward', permission: 'balance.read' },
    page: () => import('./money-out/transfers.tsx').then(({ TransfersPage }) => TransfersPage),
  },
  favorecidos: {
    title: () => t.nav.beneficiaries,
    menu: { group: 'money', icon: 'contact', permission: 'balance.read' },
    page: () => import('./money-out/beneficiaries.tsx').then(({ Beneficiaries }) => Beneficiaries),
    one: () => import('./money-out/beneficiaries.tsx').then(({ BeneficiaryPage }) => BeneficiaryPage),
  },
  conversoes: {
    title: () => t.nav.conversions,
    menu: { group: 'money', icon: 'repeat', permission: 'balance.read', product: 'CRYPTO' },
    page: () => import('./crypto/conversions.tsx').then(({ Conversions }) => Conversions),
    one: () => import('./crypto/conversions.tsx').then(({ ConversionPage }) => ConversionPage),
  },
  carteiras: {
    title: () => t.nav.wallets,
    menu: { group: 'money', icon: 'key', permission: 'balance.read', product: 'CRYPTO' },
    page: () => import('./crypto/wallets.tsx').then(({ Wallets }) => Wallets),
  },
  saques: {
    title: () => t.nav.withdrawals,
    menu: { group: 'money', icon: 'send', permission: 'balance.read', product: 'CRYPTO' },
    page: () => import('./money-out/withdrawals.tsx').then(({ WithdrawalsPage }) => WithdrawalsPage),
  },
  assinaturas: {
    title: () => t.nav.subscriptions,
    menu: { group: 'recurring', icon: 'repeat', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/subscriptions-page.tsx').then(({ SubscriptionsPage }) => SubscriptionsPage),
  },
  faturas: {
    title: () => t.nav.invoices,
    menu: { group: 'recurring', icon: 'receipt', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/invoices.tsx').then(({ Invoices }) => Invoices),
    one: () => import('./billing/invoices.tsx').then(({ InvoicePage }) => InvoicePage),
  },
  planos: {
    title: () => t.nav.plans,
    menu: { group: 'recurring', icon: 'layers', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/plans.tsx').then(({ Plans }) => Plans),
    one: () => import('./billing/plans.tsx').then(({ PlanPage }) => PlanPage),
  },
  cupons: {
    title: () => t.nav.coupons,
    menu: { group: 'recurring', icon: 'tag', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/coupons.tsx').then(({ Coupons }) => Coupons),
  },
  regua: {
    title: () => t.nav.dunning,
    menu: { group: 'recurring', icon: 'bell', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/dunning.tsx').then(({ DunningPage }) => DunningPage),
  },
  clientes: {
    title: () => t.nav.customers,
    menu: { group: 'relations', icon: 'users', permission: 'charges.read' },
    page: () => import('./payments/customers.tsx').then(({ Customers }) => Customers),
    one: () => import('./payments/customers.tsx').then(({ CustomerPage }) => CustomerPage),
  },
  divisao: {
    title: () => t.nav.split,
    menu: { group: 'relations', icon: 'split', permission: 'marketplace.manage', product: 'SPLIT' },
    page: () => import('./marketplace/split.tsx').then(({ Split }) => Split),
  },
  webhooks: {
    title: () => t.nav.webhooks,
    menu: { group: 'developers', icon: 'webhook', permission: 'webhooks.read' },
    page: () => import('./developers/webhooks.tsx').then(({ Webhooks }) => Webhooks),
    one: () => import('./developers/endpoint.tsx').then(({ EndpointPage }) => EndpointPage),
  },
  entregas: {
    title: () => t.nav.deliveries,
    menu: { group: 'developers', icon: 'send', permission: 'webhooks.read' },
    page: () => import('./developers/deliveries.tsx').then(({ Deliveries }) => Deliveries),
    one: () => import('./developers/deliveries.tsx').then(({ DeliveryPage }) => DeliveryPage),
  },
  eventos: {
    title: () => t.nav.events,
    menu: { group: 'developers', icon: 'info', permission: 'webhooks.read' },
    page: () => import('./developers/events.tsx').then(({ Events }) => Events),
  },
  chaves: {
    title: () => t.nav.keys,
    menu: { group: 'developers', icon: 'key', permission: 'keys.read' },
    page: () => import('./developers/keys.tsx').then(({ Keys }) => Keys),
    one: () => import('./developers/key-requests.tsx').then(({ KeyPage }) => KeyPage),
  },
  relogio: {
    title: () => t.nav.clock,
    menu: { group: 'developers', icon: 'clock', permission: 'charges.create', isSandboxOnly: true },
    page: () => import('./developers/clock.tsx').then(({ SandboxPage }) => SandboxPage),
  },
  empresa: {
    title: () => t.nav.company,
    menu: { group: 'account', icon: 'building', permission: 'company.read' },
    page: () => import('./account/company.tsx').then(({ CompanyPage }) => CompanyPage),
  },
  lembretes: {
    title: () => t.nav.reminders,
    menu: { group: 'account', icon: 'bell', permission: 'company.read' },
    page: () => import('./account/reminders.tsx').then(({ RemindersPage }) => RemindersPage),
  },
  equipe: {
    title: () => t.nav.team,
    menu: { group: 'account', icon: 'user', permission: 'team.read' },
    page: () => import('./people/team.tsx').then(({ Team }) => Team),
  },
  limites: {
    title: () => t.limits.title,
    menu: { group: 'account', icon: 'gauge', permission: 'balance.read', text: () => t.nav.limits },
    page: () => import('./money-out/limits.tsx').then(({ LimitsPage }) => LimitsPage),
  },
  auditoria: {
    title: () => t.nav.audit,
    menu: { group: 'account', icon: 'shield', permission: 'audit.read' },
    page: () => import('./account/audit.tsx').then(({ Audit }) => Audit),
  },
  suporte: {
    title: () => t.nav.support,
    menu: { group: 'account', icon: 'help', permission: 'support.read' },
    page: () => import('./account/support.tsx').then(({ Support }) => Support),
    one: () => import('./account/support.tsx').then(({ TicketPage }) => TicketPage),
  },
  avisos: {
    title: () => t.nav.notices,
    page: () => import('./account/notices.tsx').then(({ Notices }) => Notices),
  },
  eu: {
    title: () => t.nav.me,
    page: () => import('./people/me.tsx').then(({ MePage }) => MePage),
  },
} satisfies Readonly<Record<string, PageEntry>>

declare module '../core/router.ts' {
  interface PageNames extends Record<keyof typeof pages, true> {}
}
