import type { NoticeKind } from '../../engine/notices/notice.ts'

type Details = Readonly<Record<string, string | number | null>>
type LimitStage = 'CHANGED' | 'REQUESTED' | 'APPROVED' | 'REJECTED' | 'EFFECTIVE'
type Sentence = (details: Details) => string

/** The first line of a mail about a notice, which is also its subject. */
export const noticeSentence = (language: 'pt' | 'en', kind: NoticeKind, details: Details): string =>
  (language === 'pt' ? inPortuguese : inEnglish)[kind](details)

const inPortuguese: Readonly<Record<NoticeKind, Sentence>> = {
  DELIVERY_FAILING: ({ reason }) => `Um webhook falhou cinco vezes seguidas (${reason})`,
  DELIVERY_EXHAUSTED: ({ reason }) => `Um webhook não foi entregue e não será mais tentado (${reason})`,
  CHARGEBACK_OPENED: ({ amount, defenseDueAt }) =>
    `Chargeback de ${reais('pt-BR', amount)}: defesa até ${day('pt-BR', defenseDueAt)}`,
  DEFENSE_DUE: ({ amount, defenseDueAt }) =>
    `O prazo de defesa de um chargeback de ${reais('pt-BR', amount)} termina em ${day('pt-BR', defenseDueAt)}`,
  CRYPTO_DEPOSIT: ({ cryptoAmount, asset }) => `Depósito de ${cryptoAmount} ${asset} para revisar`,
  CARD_TESTING: () =>
    'Alguém está testando cartões nas páginas de pagamento; elas não aceitam cartão por um tempo',
  MED_OPENED: ({ amount }) => `PIX contestado por um banco: MED de ${reais('pt-BR', amount)}`,
  BALANCE_NEGATIVE: ({ amount }) => `O saldo ficou negativo: ${reais('pt-BR', amount)}`,
  TRANSFER_PENDING: ({ amount, name }) =>
    `Uma transferência de ${reais('pt-BR', amount)} para ${name} aguarda aprovação`,
  TRANSFER_COMPLETED: ({ amount, name }) =>
    `Transferência de ${reais('pt-BR', amount)} para ${name} concluída`,
  TRANSFER_RETURNED: ({ amount, name }) =>
    `${reais('pt-BR', amount)} transferidos para ${name} voltaram ao saldo`,
  PAYOUT_RETURNED: ({ amount, name }) => `${reais('pt-BR', amount)} repassados para ${name} voltaram`,
  TRANSFER_LOST: ({ amount, name }) =>
    `O banco não disse o que aconteceu com ${reais('pt-BR', amount)} para ${name}: duas pessoas decidem pelo extrato`,
  RETURN_FAILED: ({ amount, reason }) =>
    `O banco não devolveu ${reais('pt-BR', amount)} ao pagador (${reason}): decida o que fazer com o dinheiro`,
  TRANSFER_FAILED: ({ amount, name }) => `Transferência de ${reais('pt-BR', amount)} para ${name} falhou`,
  WITHDRAWAL_PENDING: ({ cryptoAmount, asset, name }) =>
    `Um saque de ${cryptoAmount} ${asset} para ${name} aguarda aprovação`,
  WITHDRAWAL_COMPLETED: ({ cryptoAmount, asset, name }) =>
    `Saque de ${cryptoAmount} ${asset} para ${name} concluído`,
  WITHDRAWAL_FAILED: ({ cryptoAmount, asset, name }) =>
    `Saque de ${cryptoAmount} ${asset} para ${name} falhou`,
  LIMIT_CHANGED: ({ stage, by }) => {
    const who = by ?? 'um administrador'
    switch (stage as LimitStage) {
      case 'CHANGED':
        return `Limite reduzido por ${who}`
      case 'REQUESTED':
        return `Aumento de limite solicitado por ${who}`
      case 'APPROVED':
        return `Aumento de limite aprovado por ${who}`
      case 'REJECTED':
        return `Aumento de limite rejeitado por ${who}`
      case 'EFFECTIVE':
        return 'Aumento de limite em vigor'
    }
  },
  TICKET_ANSWERED: ({ number }) => `Seu chamado #${number} foi respondido`,
  KEY_CREATED: ({ name }) => `Uma chave de API foi criada: ${name}`,
  KEY_EXPIRING: ({ name, expiresAt }) => `A chave de API ${name} expira em ${day('pt-BR', expiresAt)}`,
  KEY_UNUSED: ({ name }) => `A chave de API ${name} não é usada há 90 dias`,
  BOOKS_DIFFER: ({ provider, date }) => `Os livros de ${dateOf('pt-BR', date)} com ${provider} não conferem`,
  STATEMENT_MISSING: ({ provider, date }) =>
    `${provider} ainda não forneceu o extrato de ${dateOf('pt-BR', date)}`,
  SUSPENSE_OLD: ({ amount }) => `${reais('pt-BR', amount)} estão em suspenso há três dias`,
  CONNECTION_EXPIRING: ({ provider, expiresAt }) =>
    `O certificado da conexão com ${provider} vence em ${day('pt-BR', expiresAt)}`,
  CONNECTION_STOPPED: ({ provider }) =>
    `A conexão com ${provider} foi suspensa porque o serviço foi restaurado: confira e retome`,
  FACTOR_RESET: ({ name }) => `O segundo fator de ${name} foi redefinido`,
  ROLE_PENDING: ({ name, role, by }) =>
    `${by ?? 'Um administrador'} solicitou o papel ${roleName('pt', role)} para ${name}: confirme ou rejeite`,
  ROLE_BY_OPERATOR: ({ name, role }) =>
    `O operador do serviço atribuiu o papel ${roleName('pt', role)} a ${name}`,
  NEW_SIGN_IN: () => 'Novo acesso ao painel',
  PASSKEY_COUNTER: ({ name }) => `A chave de acesso ${name} foi recusada: pode ter sido copiada`,
}

const inEnglish: Readonly<Record<NoticeKind, Sentence>> = {
  DELIVERY_FAILING: ({ reason }) => `A webhook failed five times in a row (${reason})`,
  DELIVERY_EXHAUSTED: ({ reason }) => `A webhook was not delivered and will not be retried (${reason})`,
  CHARGEBACK_OPENED: ({ amount, defenseDueAt }) =>
    `Chargeback of ${reais('en', amount)}: defense due ${day('en', defenseDueAt)}`,
  DEFENSE_DUE: ({ amount, defenseDueAt }) =>
    `The defense of a chargeback of ${reais('en', amount)} is due ${day('en', defenseDueAt)}`,
  CARD_TESTING: () => 'Stolen cards are being tested at the payment pages, which take no cards for a while',
  CRYPTO_DEPOSIT: ({ cryptoAmount, asset }) => `Deposit of ${cryptoAmount} ${asset} to review`,
  MED_OPENED: ({ amount }) => `PIX contested by a bank: MED of ${reais('en', amount)}`,
  BALANCE_NEGATIVE: ({ amount }) => `The balance is negative: ${reais('en', amount)}`,
  TRANSFER_PENDING: ({ amount, name }) => `A transfer of ${reais('en', amount)} to ${name} needs approval`,
  TRANSFER_COMPLETED: ({ amount, name }) => `Transfer of ${reais('en', amount)} to ${name} completed`,
  TRANSFER_RETURNED: ({ amount, name }) =>
    `${reais('en', amount)} transferred to ${name} came back to the balance`,
  PAYOUT_RETURNED: ({ amount, name }) => `${reais('en', amount)} paid out to ${name} came back`,
  TRANSFER_LOST: ({ amount, name }) =>
    `The bank has not said what became of ${reais('en', amount)} to ${name}: two people decide by the statement`,
  RETURN_FAILED: ({ amount, reason }) =>
    `The bank did not return ${reais('en', amount)} to the payer (${reason}): decide what becomes of the money`,
  TRANSFER_FAILED: ({ amount, name }) => `Transfer of ${reais('en', amount)} to ${name} failed`,
  WITHDRAWAL_PENDING: ({ cryptoAmount, asset, name }) =>
    `A withdrawal of ${cryptoAmount} ${asset} to ${name} needs approval`,
  WITHDRAWAL_COMPLETED: ({ cryptoAmount, asset, name }) =>
    `Withdrawal of ${cryptoAmount} ${asset} to ${name} completed`,
  WITHDRAWAL_FAILED: ({ cryptoAmount, asset, name }) =>
    `Withdrawal of ${cryptoAmount} ${asset} to ${name} failed`,
  LIMIT_CHANGED: ({ stage, by }) => {
    const who = by ?? 'an admin'
    switch (stage as LimitStage) {
      case 'CHANGED':
        return `Limit decreased by ${who}`
      case 'REQUESTED':
        return `Limit increase requested by ${who}`
      case 'APPROVED':
        return `Limit increase approved by ${who}`
      case 'REJECTED':
        return `Limit increase rejected by ${who}`
      case 'EFFECTIVE':
        return 'Limit increase in effect'
    }
  },
  TICKET_ANSWERED: ({ number }) => `Your ticket #${number} has a reply`,
  KEY_CREATED: ({ name }) => `An API key was created: ${name}`,
  KEY_EXPIRING: ({ name, expiresAt }) => `The API key ${name} expires on ${day('en', expiresAt)}`,
  KEY_UNUSED: ({ name }) => `The API key ${name} has not been used for 90 days`,
  BOOKS_DIFFER: ({ provider, date }) => `The books of ${dateOf('en', date)} with ${provider} differ`,
  STATEMENT_MISSING: ({ provider, date }) =>
    `${provider} has not given its statement of ${dateOf('en', date)}`,
  SUSPENSE_OLD: ({ amount }) => `${reais('en', amount)} has been in suspense for three days`,
  CONNECTION_EXPIRING: ({ provider, expiresAt }) =>
    `The certificate of the connection to ${provider} ends on ${day('en', expiresAt)}`,
  CONNECTION_STOPPED: ({ provider }) =>
    `The connection to ${provider} was suspended because the service was restored: look at it, and resume it`,
  FACTOR_RESET: ({ name }) => `The second factor of ${name} was reset`,
  ROLE_PENDING: ({ name, role, by }) =>
    `${by ?? 'An admin'} requested the role ${roleName('en', role)} for ${name}: confirm or reject it`,
  ROLE_BY_OPERATOR: ({ name, role }) =>
    `The operator of the service assigned the role ${roleName('en', role)} to ${name}`,
  NEW_SIGN_IN: () => 'New sign-in to the dashboard',
  PASSKEY_COUNTER: ({ name }) => `The passkey ${name} was refused: it may have been copied`,
}

/** The name of a role that holds money, as the dashboard has it. */
const roleName = (language: 'pt' | 'en', role: Details[string] | undefined): string =>
  roleNames[language][role as 'OWNER'] ?? String(role)

const roleNames = {
  pt: { OWNER: 'Proprietário', ADMIN: 'Administrador', FINANCE: 'Financeiro' },
  en: { OWNER: 'Owner', ADMIN: 'Admin', FINANCE: 'Finance' },
} as const

const reais = (locale: string, amount: Details[string] | undefined): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(Number(amount) / 100)

/** In the zone of Brasília: a mail cannot know its reader's. */
const day = (locale: string, instant: Details[string] | undefined): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(new Date(String(instant)))

const dateOf = (locale: string, date: Details[string] | undefined): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  )
