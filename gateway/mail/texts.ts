import type { NoticeKind } from '../../engine/notices/notice.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Mail } from './mailer.ts'
import { noticeSentence } from './notice-texts.ts'

/** What mails say, in the language of the person. A link carries its token in the fragment, which no server logs. */
export type MailText =
  | {
      readonly kind: 'INVITATION'
      readonly company: string
      readonly inviter: string | null
      readonly hours: number
      readonly link: string
    }
  | { readonly kind: 'PASSWORD_RESET'; readonly link: string }
  | { readonly kind: 'EMAIL_CHANGE'; readonly link: string }
  | { readonly kind: 'EMAIL_CHANGE_ASKED'; readonly email: string }
  | { readonly kind: 'EMAIL_CHANGED'; readonly email: string }
  | { readonly kind: 'FACTOR_CHANGED'; readonly what: FactorChange }
  | { readonly kind: 'NEW_SIGN_IN'; readonly ip: string; readonly userAgent: string; readonly at: string }
  | { readonly kind: 'FACTOR_RESET'; readonly person: string; readonly company: string }
  | { readonly kind: 'CODES_LOCKED' }
  | { readonly kind: 'RECOVERY_CODE_USED'; readonly left: number }
  | {
      readonly kind: 'NOTICE'
      readonly notice: NoticeKind
      readonly details: Readonly<Record<string, string | number | null>>
      readonly company: string
      readonly environment: Environment
      readonly link: string
    }

export type FactorChange = 'PASSWORD' | 'TOTP' | 'PASSKEY_ADDED' | 'PASSKEY_REMOVED' | 'RECOVERY_CODES'

/** Writes a mail. */
export const mailOf = (to: string, language: 'pt' | 'en', text: MailText): Mail => {
  const [subject, body] = (language === 'pt' ? inPortuguese : inEnglish)(text)
  return { to, subject, text: `${body}\n` }
}

type Words = readonly [subject: string, body: string]

const inPortuguese = (text: MailText): Words => {
  switch (text.kind) {
    case 'NOTICE': {
      const sentence = noticeSentence('pt', text.notice, text.details)
      const place = text.environment === 'SANDBOX' ? `${text.company}, no Sandbox` : text.company
      return [
        sentence,
        `${sentence}.\n\nEmpresa: ${place}\nTodos os avisos: ${text.link}\n\nNessa página você escolhe quais avisos recebe por e-mail.`,
      ]
    }
    case 'INVITATION':
      return [
        `Convite para o painel de ${text.company}`,
        `${text.inviter ?? 'O operador do serviço'} convidou você para o painel de pagamentos de ${text.company}.\n\nAceite o convite em até ${text.hours} horas:\n${text.link}\n\nSe você não esperava este convite, ignore esta mensagem.`,
      ]
    case 'PASSWORD_RESET':
      return [
        'Nova senha do painel',
        `Recebemos um pedido de nova senha para a sua conta. O link vale por 30 minutos e só pode ser usado uma vez:\n${text.link}\n\nO segundo fator continua o mesmo. Se não foi você, ignore esta mensagem: nada foi alterado.`,
      ]
    case 'EMAIL_CHANGE':
      return [
        'Confirme o novo e-mail',
        `Confirme que este endereço é seu. O link vale por 30 minutos:\n${text.link}`,
      ]
    case 'EMAIL_CHANGE_ASKED':
      return [
        'Solicitação de troca do e-mail de acesso',
        `Recebemos uma solicitação para trocar o seu e-mail de acesso ao painel por ${text.email}. A troca só vale depois que esse endereço for confirmado. Se não foi você, altere a senha imediatamente: isso cancela a solicitação.`,
      ]
    case 'EMAIL_CHANGED':
      return [
        'Seu e-mail de acesso foi alterado',
        `Seu e-mail de acesso ao painel agora é ${text.email}. Se não foi você, avise imediatamente um proprietário da sua empresa.`,
      ]
    case 'FACTOR_CHANGED':
      return [
        'Seu acesso ao painel foi alterado',
        `${changesPt[text.what]} Se não foi você, avise imediatamente um proprietário da sua empresa.`,
      ]
    case 'NEW_SIGN_IN':
      return [
        'Novo acesso ao painel',
        `Sua conta foi acessada em um navegador novo.\n\nQuando: ${text.at}\nEndereço IP: ${text.ip}\nNavegador: ${text.userAgent}\n\nSe não foi você, altere a senha e encerre as outras sessões.`,
      ]
    case 'FACTOR_RESET':
      return [
        `Segundo fator redefinido em ${text.company}`,
        `O segundo fator de ${text.person} foi redefinido. Durante 24 horas, essa pessoa não pode confirmar operações que movimentam dinheiro.`,
      ]
    case 'CODES_LOCKED':
      return [
        'Códigos bloqueados por uma hora',
        'Dez códigos incorretos seguidos foram digitados na sua conta. Nenhum código será aceito por uma hora; chaves de acesso continuam funcionando. Se não foi você, altere a senha.',
      ]
    case 'RECOVERY_CODE_USED':
      return [
        'Código de recuperação usado',
        `Um dos seus códigos de recuperação foi usado para entrar no painel. Códigos restantes: ${text.left}. Se não foi você, avise imediatamente um proprietário da sua empresa.`,
      ]
  }
}

const changesPt: Readonly<Record<FactorChange, string>> = {
  PASSWORD: 'Sua senha foi alterada e as outras sessões foram encerradas.',
  TOTP: 'Um aplicativo autenticador foi cadastrado na sua conta.',
  PASSKEY_ADDED: 'Uma chave de acesso foi cadastrada na sua conta.',
  PASSKEY_REMOVED: 'Uma chave de acesso foi removida da sua conta.',
  RECOVERY_CODES: 'Novos códigos de recuperação foram gerados; os anteriores não funcionam mais.',
}

const inEnglish = (text: MailText): Words => {
  switch (text.kind) {
    case 'NOTICE': {
      const sentence = noticeSentence('en', text.notice, text.details)
      const place = text.environment === 'SANDBOX' ? `${text.company}, in the Sandbox` : text.company
      return [
        sentence,
        `${sentence}.\n\nCompany: ${place}\nAll notices: ${text.link}\n\nOn that page you choose which notices you get by e-mail.`,
      ]
    }
    case 'INVITATION':
      return [
        `Invitation to the dashboard of ${text.company}`,
        `${text.inviter ?? 'The operator of the service'} invited you to the payments dashboard of ${text.company}.\n\nAccept within ${text.hours} hours:\n${text.link}\n\nIf you were not expecting this invitation, ignore this message.`,
      ]
    case 'PASSWORD_RESET':
      return [
        'Your new dashboard password',
        `We received a request for a new password. The link is valid for 30 minutes and works once:\n${text.link}\n\nYour second factor stays the same. If this was not you, ignore this message: nothing has changed.`,
      ]
    case 'EMAIL_CHANGE':
      return [
        'Confirm your new e-mail address',
        `Confirm that this address is yours. The link is valid for 30 minutes:\n${text.link}`,
      ]
    case 'EMAIL_CHANGE_ASKED':
      return [
        'Request to change your sign-in e-mail',
        `We received a request to change your sign-in e-mail to ${text.email}. The change takes effect once that address is confirmed. If this was not you, change your password right away: that cancels the request.`,
      ]
    case 'EMAIL_CHANGED':
      return [
        'Your sign-in e-mail has changed',
        `You now sign in to the dashboard as ${text.email}. If this was not you, tell an owner of your company right away.`,
      ]
    case 'FACTOR_CHANGED':
      return [
        'Your access to the dashboard has changed',
        `${changesEn[text.what]} If this was not you, tell an owner of your company right away.`,
      ]
    case 'NEW_SIGN_IN':
      return [
        'New sign-in to the dashboard',
        `Your account was signed in to from a new browser.\n\nWhen: ${text.at}\nIP address: ${text.ip}\nBrowser: ${text.userAgent}\n\nIf this was not you, change your password and end the other sessions.`,
      ]
    case 'FACTOR_RESET':
      return [
        `Second factor reset at ${text.company}`,
        `The second factor of ${text.person} was reset. For 24 hours this person can’t confirm operations that move money.`,
      ]
    case 'CODES_LOCKED':
      return [
        'Codes are locked for an hour',
        'Ten wrong codes in a row were entered for your account. No code will be accepted for an hour; passkeys still work. If this was not you, change your password.',
      ]
    case 'RECOVERY_CODE_USED':
      return [
        'A recovery code was used',
        `One of your recovery codes was used to sign in to the dashboard. Codes left: ${text.left}. If this was not you, tell an owner of your company right away.`,
      ]
  }
}

const changesEn: Readonly<Record<FactorChange, string>> = {
  PASSWORD: 'Your password was changed, and your other sessions have ended.',
  TOTP: 'An authenticator app was added to your account.',
  PASSKEY_ADDED: 'A passkey was added to your account.',
  PASSKEY_REMOVED: 'A passkey was removed from your account.',
  RECOVERY_CODES: 'New recovery codes were generated; the previous ones no longer work.',
}
