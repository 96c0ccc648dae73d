import type { ComponentType } from 'preact'
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
import { byId } from './by-id.tsx'
import { Crypto } from './crypto/charges.tsx'
import { ConversionPage, Conversions } from './crypto/conversions.tsx'
import { Wallets } from './crypto/wallets.tsx'
import { SandboxPage } from './developers/clock.tsx'
import { Deliveries, DeliveryPage } from './developers/deliveries.tsx'
import { Events } from './developers/events.tsx'
import { Keys } from './developers/keys.tsx'
import { EndpointPage, Webhooks } from './developers/webhooks.tsx'
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

/** The pages of a company by the word of their address; `rest` are the parts after it. */
export const pages: Readonly<Record<string, ComponentType<{ rest: readonly string[] }>>> = {
  inicio: Home,
  transacoes: byId(Transactions, TransactionPage),
  pix: Pix,
  cartoes: Cards,
  boletos: byId(Boletos, TransactionPage),
  cripto: Crypto,
  saldo: Balance,
  extrato: Statement,
  transferencias: TransfersPage,
  favorecidos: byId(Beneficiaries, BeneficiaryPage),
  conversoes: byId(Conversions, ConversionPage),
  carteiras: Wallets,
  saques: WithdrawalsPage,
  assinaturas: SubscriptionsPage,
  faturas: byId(Invoices, InvoicePage),
  planos: byId(Plans, PlanPage),
  cupons: Coupons,
  regua: DunningPage,
  clientes: byId(Customers, CustomerPage),
  divisao: Split,
  relogio: SandboxPage,
  eventos: Events,
  chaves: Keys,
  webhooks: byId(Webhooks, EndpointPage),
  entregas: byId(Deliveries, DeliveryPage),
  empresa: CompanyPage,
  equipe: Team,
  limites: LimitsPage,
  auditoria: Audit,
  avisos: Notices,
  suporte: byId(Support, TicketPage),
  eu: MePage,
}
