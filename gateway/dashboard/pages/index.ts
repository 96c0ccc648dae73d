import { t } from '../core/language.ts'
import type { PageEntry } from '../parts/page-entry.ts'

/**
 * The pages of a company by the first segment of their address, in the order of the menu. The title, menu entry or
 * tab, permission and component of a page stand here and nowhere else. Its code is loaded when it is first shown.
 */
export const pages = {
  inicio: {
    title: () => t.nav.home,
    menu: { icon: 'home', permission: 'transactions.read' },
    page: () => import('./home.tsx').then(({ Home }) => Home),
  },
  transacoes: {
    title: () => t.nav.transactions,
    menu: { icon: 'list', permission: 'transactions.read' },
    page: () => import('./payments/transactions.tsx').then(({ Transactions }) => Transactions),
    one: () => import('./payments/transaction.tsx').then(({ TransactionPage }) => TransactionPage),
  },
  pix: {
    title: () => t.nav.pix,
    menu: { icon: 'pix', permission: 'charges.read', product: 'PIX' },
    page: () => import('./payments/pix.tsx').then(({ Pix }) => Pix),
  },
  cartoes: {
    title: () => t.nav.cards,
    menu: { icon: 'card', permission: 'charges.read', product: 'CARD' },
    page: () => import('./payments/cards.tsx').then(({ Cards }) => Cards),
  },
  boletos: {
    title: () => t.nav.boletos,
    menu: { icon: 'barcode', permission: 'charges.read', product: 'BOLETO' },
    page: () => import('./payments/boletos.tsx').then(({ Boletos }) => Boletos),
    one: () => import('./payments/transaction.tsx').then(({ TransactionPage }) => TransactionPage),
  },
  links: {
    title: () => t.nav.links,
    menu: {
      icon: 'link',
      permission: 'charges.read',
      product: 'CHECKOUT',
      text: () => t.nav.checkout,
    },
    page: () => import('./checkout/links.tsx').then(({ Links }) => Links),
    one: () => import('./checkout/link.tsx').then(({ LinkPage }) => LinkPage),
  },
  sessoes: {
    title: () => t.nav.sessions,
    tab: { of: 'links', permission: 'charges.read', product: 'CHECKOUT' },
    page: () => import('./checkout/sessions.tsx').then(({ Sessions }) => Sessions),
    one: () => import('./checkout/session.tsx').then(({ SessionPage }) => SessionPage),
  },
  aparencia: {
    title: () => t.nav.look,
    tab: { of: 'links', permission: 'charges.read', product: 'CHECKOUT' },
    page: () => import('./checkout/look.tsx').then(({ LookPage }) => LookPage),
  },
  assinaturas: {
    title: () => t.nav.subscriptions,
    menu: { icon: 'repeat', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/subscriptions-page.tsx').then(({ SubscriptionsPage }) => SubscriptionsPage),
  },
  faturas: {
    title: () => t.nav.invoices,
    tab: { of: 'assinaturas', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/invoices.tsx').then(({ Invoices }) => Invoices),
    one: () => import('./billing/invoices.tsx').then(({ InvoicePage }) => InvoicePage),
  },
  planos: {
    title: () => t.nav.plans,
    tab: { of: 'assinaturas', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/plans.tsx').then(({ Plans }) => Plans),
    one: () => import('./billing/plans.tsx').then(({ PlanPage }) => PlanPage),
  },
  cupons: {
    title: () => t.nav.coupons,
    tab: { of: 'assinaturas', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/coupons.tsx').then(({ Coupons }) => Coupons),
  },
  regua: {
    title: () => t.nav.dunning,
    tab: { of: 'assinaturas', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => import('./billing/dunning.tsx').then(({ DunningPage }) => DunningPage),
  },
  clientes: {
    title: () => t.nav.customers,
    menu: { icon: 'users', permission: 'charges.read' },
    page: () => import('./payments/customers.tsx').then(({ Customers }) => Customers),
    one: () => import('./payments/customers.tsx').then(({ CustomerPage }) => CustomerPage),
  },
  divisao: {
    title: () => t.nav.split,
    menu: { icon: 'split', permission: 'marketplace.manage', product: 'SPLIT' },
    page: () => import('./marketplace/split.tsx').then(({ Split }) => Split),
  },
  saldo: {
    title: () => t.nav.balance,
    menu: { icon: 'wallet', permission: 'balance.read' },
    page: () => import('./account/balance.tsx').then(({ Balance }) => Balance),
  },
  extrato: {
    title: () => t.nav.statement,
    tab: { of: 'saldo', permission: 'balance.read' },
    page: () => import('./account/statement.tsx').then(({ Statement }) => Statement),
  },
  recebiveis: {
    title: () => t.nav.receivables,
    tab: { of: 'saldo', permission: 'balance.read' },
    page: () => import('./account/receivables.tsx').then(({ Receivables }) => Receivables),
  },
  suspenso: {
    title: () => t.nav.suspense,
    tab: { of: 'saldo', permission: 'balance.read' },
    page: () => import('./account/suspense.tsx').then(({ SuspenseList }) => SuspenseList),
    one: () => import('./account/suspense.tsx').then(({ SuspensePage }) => SuspensePage),
  },
  transferencias: {
    title: () => t.nav.transfers,
    menu: { icon: 'forward', permission: 'balance.read' },
    page: () => import('./money-out/transfers.tsx').then(({ TransfersPage }) => TransfersPage),
  },
  favorecidos: {
    title: () => t.nav.beneficiaries,
    tab: { of: 'transferencias', permission: 'balance.read' },
    page: () => import('./money-out/beneficiaries.tsx').then(({ Beneficiaries }) => Beneficiaries),
    one: () => import('./money-out/beneficiaries.tsx').then(({ BeneficiaryPage }) => BeneficiaryPage),
  },
  limites: {
    title: () => t.nav.limitsTitle,
    tab: { of: 'transferencias', permission: 'balance.read', text: () => t.nav.limits },
    page: () => import('./money-out/limits.tsx').then(({ LimitsPage }) => LimitsPage),
  },
  cripto: {
    title: () => t.nav.crypto,
    menu: {
      group: 'crypto',
      icon: 'coin',
      permission: 'charges.read',
      product: 'CRYPTO',
      text: () => t.nav.cryptoCharges,
    },
    page: () => import('./crypto/charges.tsx').then(({ Crypto }) => Crypto),
  },
  carteiras: {
    title: () => t.nav.wallets,
    menu: {
      group: 'crypto',
      icon: 'key',
      permission: 'balance.read',
      product: 'CRYPTO',
      text: () => t.nav.cryptoMoney,
    },
    page: () => import('./crypto/wallets.tsx').then(({ Wallets }) => Wallets),
  },
  saques: {
    title: () => t.nav.withdrawals,
    tab: { of: 'carteiras', permission: 'balance.read', product: 'CRYPTO' },
    page: () => import('./money-out/withdrawals.tsx').then(({ WithdrawalsPage }) => WithdrawalsPage),
  },
  conversoes: {
    title: () => t.nav.conversions,
    tab: { of: 'carteiras', permission: 'balance.read', product: 'CRYPTO' },
    page: () => import('./crypto/conversions.tsx').then(({ Conversions }) => Conversions),
    one: () => import('./crypto/conversions.tsx').then(({ ConversionPage }) => ConversionPage),
  },
  webhooks: {
    title: () => t.nav.webhooks,
    menu: { group: 'developers', icon: 'webhook', permission: 'webhooks.read' },
    page: () => import('./developers/webhooks.tsx').then(({ Webhooks }) => Webhooks),
    one: () => import('./developers/endpoint.tsx').then(({ EndpointPage }) => EndpointPage),
  },
  entregas: {
    title: () => t.nav.deliveries,
    tab: { of: 'webhooks', permission: 'webhooks.read' },
    page: () => import('./developers/deliveries.tsx').then(({ Deliveries }) => Deliveries),
    one: () => import('./developers/deliveries.tsx').then(({ DeliveryPage }) => DeliveryPage),
  },
  eventos: {
    title: () => t.nav.events,
    tab: { of: 'webhooks', permission: 'webhooks.read' },
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
  conexoes: {
    title: () => t.nav.connections,
    tab: { of: 'empresa', permission: 'company.read', isProductionOnly: true },
    page: () => import('./connections/connections.tsx').then(({ Connections }) => Connections),
    one: () => import('./connections/connection.tsx').then(({ ConnectionPage }) => ConnectionPage),
  },
  equipe: {
    title: () => t.nav.team,
    tab: { of: 'empresa', permission: 'team.read' },
    page: () => import('./people/team.tsx').then(({ Team }) => Team),
  },
  auditoria: {
    title: () => t.nav.audit,
    tab: { of: 'empresa', permission: 'audit.read' },
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
