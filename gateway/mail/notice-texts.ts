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
  CRYPTO_DEPOSIT: ({ cryptoAmount, asset }) => `${cryptoAmount} ${asset} chegaram e esperam uma decisão`,
  MED_OPENED: ({ amount }) => `Um banco contesta um PIX: MED de ${reais('pt-BR', amount)}`,
  BALANCE_NEGATIVE: ({ amount }) => `O saldo ficou negativo: ${reais('pt-BR', amount)}`,
  TRANSFER_PENDING: ({ amount, name }) =>
    `Uma transferência de ${reais('pt-BR', amount)} para ${name} aguarda aprovação`,
  TRANSFER_COMPLETED: ({ amount, name }) =>
    `Transferência de ${reais('pt-BR', amount)} para ${name} concluída`,
  TRANSFER_FAILED: ({ amount, name }) => `Transferência de ${reais('pt-BR', amount)} para ${name} falhou`,
  WITHDRAWAL_PENDING: ({ cryptoAmount, asset, name }) =>
    `Um saque de ${cryptoAmount} ${asset} para ${name} aguarda aprovação`,
  WITHDRAWAL_COMPLETED: ({ cryptoAmount, asset, name }) =>
    `Saque de ${cryptoAmount} ${asset} para ${name} concluído`,
  WITHDRAWAL_FAILED: ({ cryptoAmount, asset, name }) =>
    `Saque de ${cryptoAmount} ${asset} para ${name} falhou`,
  LIMIT_CHANGED: ({ stage, by }) => {
    const who = by ?? 'alguém'
    switch (stage as LimitStage) {
      case 'CHANGED':
        return `Limites ou política de aprovação: ${who} definiu valores mais rígidos`
      case 'REQUESTED':
        return `Limites ou política de aprovação: ${who} pediu valores mais brandos`
      case 'APPROVED':
        return `Limites ou política de aprovação: ${who} aprovou valores mais brandos`
      case 'REJECTED':
        return `Limites ou política de aprovação: ${who} rejeitou valores mais brandos`
      case 'EFFECTIVE':
        return 'Limites ou política de aprovação: valores mais brandos passaram a valer'
    }
  },
  TICKET_ANSWERED: ({ number }) => `O seu chamado #${number} foi respondido`,
  KEY_CREATED: ({ name }) => `Uma chave de API foi criada: ${name}`,
  KEY_EXPIRING: ({ name, expiresAt }) => `A chave de API ${name} expira em ${day('pt-BR', expiresAt)}`,
  KEY_UNUSED: ({ name }) => `A chave de API ${name} não é usada há 90 dias`,
  FACTOR_RESET: ({ name }) => `O segundo fator de ${name} foi redefinido`,
  ROLE_PENDING: ({ name, role, by }) =>
    `${by ?? 'Alguém'} quer dar a ${name} o papel ${roleName('pt', role)}: confirme ou rejeite`,
  ROLE_BY_OPERATOR: ({ name, role }) =>
    `Quem opera o serviço deu a ${name} o papel ${roleName('pt', role)} pela linha de comando`,
  NEW_SIGN_IN: () => 'Entrada por um navegador novo',
  PASSKEY_COUNTER: ({ name }) => `A chave de acesso ${name} foi recusada: pode ter sido copiada`,
}

const inEnglish: Readonly<Record<NoticeKind, Sentence>> = {
  DELIVERY_FAILING: ({ reason }) => `A webhook has failed five times in a row (${reason})`,
  DELIVERY_EXHAUSTED: ({ reason }) => `A webhook was not delivered and is given up (${reason})`,
  CHARGEBACK_OPENED: ({ amount, defenseDueAt }) =>
    `Chargeback of ${reais('en', amount)}: defense due ${day('en', defenseDueAt)}`,
  DEFENSE_DUE: ({ amount, defenseDueAt }) =>
    `The defense of a chargeback of ${reais('en', amount)} is due ${day('en', defenseDueAt)}`,
  CRYPTO_DEPOSIT: ({ cryptoAmount, asset }) =>
    `${cryptoAmount} ${asset} have arrived and wait for a decision`,
  MED_OPENED: ({ amount }) => `A bank contests a PIX: MED of ${reais('en', amount)}`,
  BALANCE_NEGATIVE: ({ amount }) => `The balance is negative: ${reais('en', amount)}`,
  TRANSFER_PENDING: ({ amount, name }) => `A transfer of ${reais('en', amount)} to ${name} awaits approval`,
  TRANSFER_COMPLETED: ({ amount, name }) => `A transfer of ${reais('en', amount)} to ${name} is completed`,
  TRANSFER_FAILED: ({ amount, name }) => `A transfer of ${reais('en', amount)} to ${name} has failed`,
  WITHDRAWAL_PENDING: ({ cryptoAmount, asset, name }) =>
    `A withdrawal of ${cryptoAmount} ${asset} to ${name} awaits approval`,
  WITHDRAWAL_COMPLETED: ({ cryptoAmount, asset, name }) =>
    `A withdrawal of ${cryptoAmount} ${asset} to ${name} is completed`,
  WITHDRAWAL_FAILED: ({ cryptoAmount, asset, name }) =>
    `A withdrawal of ${cryptoAmount} ${asset} to ${name} has failed`,
  LIMIT_CHANGED: ({ stage, by }) => {
    const who = by ?? 'somebody'
    switch (stage as LimitStage) {
      case 'CHANGED':
        return `Limits or approval policy: ${who} has set stricter values`
      case 'REQUESTED':
        return `Limits or approval policy: ${who} has asked for looser values`
      case 'APPROVED':
        return `Limits or approval policy: ${who} has approved looser values`
      case 'REJECTED':
        return `Limits or approval policy: ${who} has rejected looser values`
      case 'EFFECTIVE':
        return 'Limits or approval policy: looser values have taken effect'
    }
  },
  TICKET_ANSWERED: ({ number }) => `Your ticket #${number} was answered`,
  KEY_CREATED: ({ name }) => `An API key was created: ${name}`,
  KEY_EXPIRING: ({ name, expiresAt }) => `The API key ${name} expires ${day('en', expiresAt)}`,
  KEY_UNUSED: ({ name }) => `The API key ${name} has not been used for 90 days`,
  FACTOR_RESET: ({ name }) => `The second factor of ${name} was reset`,
  ROLE_PENDING: ({ name, role, by }) =>
    `${by ?? 'Somebody'} wants to make ${name} ${roleName('en', role)}: confirm or reject it`,
  ROLE_BY_OPERATOR: ({ name, role }) =>
    `Whoever runs the service has made ${name} ${roleName('en', role)} at the command line`,
  NEW_SIGN_IN: () => 'Signed in from a new browser',
  PASSKEY_COUNTER: ({ name }) => `The passkey ${name} was refused: it may have been copied`,
}

/** The name of a role that holds money, as the dashboard has it. */
const roleName = (language: 'pt' | 'en', role: Details[string] | undefined): string =>
  roleNames[language][role as 'OWNER'] ?? String(role)

const roleNames = {
  pt: { OWNER: 'Titular', ADMIN: 'Administração', FINANCE: 'Financeiro' },
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
