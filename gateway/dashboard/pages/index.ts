import { t } from '../core/language.ts'
import type { PageEntry } from '../parts/shell.tsx'
import { Audit } from './account/audit.tsx'
import { Balance } from './account/balance.tsx'
import { CompanyPage } from './account/company.tsx'
import { Notices } from './account/notices.tsx'
import { Statement } from './account/statement.tsx'
import { Support, TicketPage } from './account/support.tsx'
import { Coupons } from './billing/coupons.tsx'
import { DunningPage } from './billing/dunning.tsx'
import { InvoicePage, Invoices } from './billing/invoices.tsx'
import { PlanPage, Plans } from './billing/plans.tsx'
import { SubscriptionsPage } from './billing/subscriptions-page.tsx'
import { Crypto } from './crypto/charges.tsx'
import { ConversionPage, Conversions } from './crypto/conversions.tsx'
import { Wallets } from './crypto/wallets.tsx'
import { SandboxPage } from './developers/clock.tsx'
import { Deliveries, DeliveryPage } from './developers/deliveries.tsx'
import { EndpointPage } from './developers/endpoint.tsx'
import { Events } from './developers/events.tsx'
import { Keys } from './developers/keys.tsx'
import { Webhooks } from './developers/webhooks.tsx'
import { Home } from './home.tsx'
import { Split } from './marketplace/split.tsx'
import { Beneficiaries, BeneficiaryPage } from './money-out/beneficiaries.tsx'
import { LimitsPage } from './money-out/limits.tsx'
import { TransfersPage } from './money-out/transfers.tsx'
import { WithdrawalsPage } from './money-out/withdrawals.tsx'
import { Boletos } from './payments/boletos.tsx'
import { Cards } from './payments/cards.tsx'
import { CustomerPage, Customers } from './payments/customers.tsx'
import { Pix } from './payments/pix.tsx'
import { TransactionPage } from './payments/transaction.tsx'
import { Transactions } from './payments/transactions.tsx'
import { MePage } from './people/me.tsx'
import { Team } from './people/team.tsx'

/**
 * The pages of a company by the first segment of their address, in the order of the menu. The title, menu entry,
 * permission and component of a page stand here and nowhere else.
 */
export const pages = {
  inicio: {
    title: () => t.nav.home,
    menu: { group: null, icon: 'home', permission: 'transactions.read' },
    page: () => Home,
  },
  transacoes: {
    title: () => t.nav.transactions,
    menu: { group: null, icon: 'list', permission: 'transactions.read' },
    page: () => Transactions,
    one: () => TransactionPage,
  },
  pix: {
    title: () => t.nav.pix,
    menu: { group: 'receiving', icon: 'pix', permission: 'charges.read', product: 'PIX' },
    page: () => Pix,
  },
  cartoes: {
    title: () => t.nav.cards,
    menu: { group: 'receiving', icon: 'card', permission: 'charges.read', product: 'CARD' },
    page: () => Cards,
  },
  boletos: {
    title: () => t.nav.boletos,
    menu: { group: 'receiving', icon: 'barcode', permission: 'charges.read', product: 'BOLETO' },
    page: () => Boletos,
    one: () => TransactionPage,
  },
  cripto: {
    title: () => t.nav.crypto,
    menu: { group: 'receiving', icon: 'coin', permission: 'charges.read', product: 'CRYPTO' },
    page: () => Crypto,
  },
  saldo: {
    title: () => t.nav.balance,
    menu: { group: 'money', icon: 'wallet', permission: 'balance.read' },
    page: () => Balance,
  },
  extrato: {
    title: () => t.nav.statement,
    menu: { group: 'money', icon: 'list', permission: 'balance.read' },
    page: () => Statement,
  },
  transferencias: {
    title: () => t.nav.transfers,
    menu: { group: 'money', icon: 'forward', permission: 'balance.read' },
    page: () => TransfersPage,
  },
  favorecidos: {
    title: () => t.nav.beneficiaries,
    menu: { group: 'money', icon: 'contact', permission: 'balance.read' },
    page: () => Beneficiaries,
    one: () => BeneficiaryPage,
  },
  conversoes: {
    title: () => t.nav.conversions,
    menu: { group: 'money', icon: 'repeat', permission: 'balance.read', product: 'CRYPTO' },
    page: () => Conversions,
    one: () => ConversionPage,
  },
  carteiras: {
    title: () => t.nav.wallets,
    menu: { group: 'money', icon: 'key', permission: 'balance.read', product: 'CRYPTO' },
    page: () => Wallets,
  },
  saques: {
    title: () => t.nav.withdrawals,
    menu: { group: 'money', icon: 'send', permission: 'balance.read', product: 'CRYPTO' },
    page: () => WithdrawalsPage,
  },
  assinaturas: {
    title: () => t.nav.subscriptions,
    menu: { group: 'recurring', icon: 'repeat', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => SubscriptionsPage,
  },
  faturas: {
    title: () => t.nav.invoices,
    menu: { group: 'recurring', icon: 'receipt', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => Invoices,
    one: () => InvoicePage,
  },
  planos: {
    title: () => t.nav.plans,
    menu: { group: 'recurring', icon: 'layers', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => Plans,
    one: () => PlanPage,
  },
  cupons: {
    title: () => t.nav.coupons,
    menu: { group: 'recurring', icon: 'tag', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => Coupons,
  },
  regua: {
    title: () => t.nav.dunning,
    menu: { group: 'recurring', icon: 'bell', permission: 'subscriptions.read', product: 'RECURRING' },
    page: () => DunningPage,
  },
  clientes: {
    title: () => t.nav.customers,
    menu: { group: 'relations', icon: 'users', permission: 'charges.read' },
    page: () => Customers,
    one: () => CustomerPage,
  },
  divisao: {
    title: () => t.nav.split,
    menu: { group: 'relations', icon: 'split', permission: 'marketplace.manage', product: 'SPLIT' },
    page: () => Split,
  },
  webhooks: {
    title: () => t.nav.webhooks,
    menu: { group: 'developers', icon: 'webhook', permission: 'webhooks.read' },
    page: () => Webhooks,
    one: () => EndpointPage,
  },
  entregas: {
    title: () => t.nav.deliveries,
    menu: { group: 'developers', icon: 'send', permission: 'webhooks.read' },
    page: () => Deliveries,
    one: () => DeliveryPage,
  },
  eventos: {
    title: () => t.nav.events,
    menu: { group: 'developers', icon: 'info', permission: 'webhooks.read' },
    page: () => Events,
  },
  chaves: {
    title: () => t.nav.keys,
    menu: { group: 'developers', icon: 'key', permission: 'keys.read' },
    page: () => Keys,
  },
  relogio: {
    title: () => t.nav.clock,
    menu: { group: 'developers', icon: 'clock', permission: 'charges.create', isSandboxOnly: true },
    page: () => SandboxPage,
  },
  empresa: {
    title: () => t.nav.company,
    menu: { group: 'account', icon: 'building', permission: 'company.read' },
    page: () => CompanyPage,
  },
  equipe: {
    title: () => t.nav.team,
    menu: { group: 'account', icon: 'user', permission: 'team.read' },
    page: () => Team,
  },
  limites: {
    title: () => t.limits.title,
    menu: { group: 'account', icon: 'gauge', permission: 'balance.read', text: () => t.nav.limits },
    page: () => LimitsPage,
  },
  auditoria: {
    title: () => t.nav.audit,
    menu: { group: 'account', icon: 'shield', permission: 'audit.read' },
    page: () => Audit,
  },
  suporte: {
    title: () => t.nav.support,
    menu: { group: 'account', icon: 'help', permission: 'support.read' },
    page: () => Support,
    one: () => TicketPage,
  },
  avisos: {
    title: () => t.nav.notices,
    page: () => Notices,
  },
  eu: {
    title: () => t.nav.me,
    page: () => MePage,
  },
} satisfies Readonly<Record<string, PageEntry>>

declare module '../core/router.ts' {
  interface PageNames extends Record<keyof typeof pages, true> {}
}
