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
        `${sentence}.\n\nEmpresa: ${place}\nTodos os avisos: ${text.link}\n\nQuais avisos chegam por e-mail, você escolhe nessa página.`,
      ]
    }
    case 'INVITATION':
      return [
        `Convite para o painel de ${text.company}`,
        `${text.inviter ?? 'O operador do serviço'} convidou você para o painel de pagamentos de ${text.company}.\n\nAceite em até ${text.hours} horas:\n${text.link}\n\nSe não esperava este convite, ignore esta mensagem.`,
      ]
    case 'PASSWORD_RESET':
      return [
        'Nova senha do painel',
        `Alguém, provavelmente você, pediu uma nova senha. O link vale por 30 minutos, uma única vez:\n${text.link}\n\nO segundo fator continua o mesmo. Se não foi você, ignore esta mensagem: nada mudou.`,
      ]
    case 'EMAIL_CHANGE':
      return [
        'Confirme o novo e-mail',
        `Confirme que este endereço é seu. O link vale por 30 minutos:\n${text.link}`,
      ]
    case 'EMAIL_CHANGE_ASKED':
      return [
        'Pedido de troca do seu e-mail de acesso',
        `Alguém, provavelmente você, pediu para entrar no painel com o e-mail ${text.email}. A troca só vale depois que esse endereço for confirmado. Se não foi você, troque a senha já: isso cancela o pedido.`,
      ]
    case 'EMAIL_CHANGED':
      return [
        'O seu e-mail de acesso mudou',
        `O e-mail com que você entra no painel passou a ser ${text.email}. Se não foi você, avise já um dono da conta da sua empresa.`,
      ]
    case 'FACTOR_CHANGED':
      return [
        'O seu acesso ao painel mudou',
        `${changesPt[text.what]} Se não foi você, avise já um dono da conta da sua empresa.`,
      ]
    case 'NEW_SIGN_IN':
      return [
        'Entrada no painel por um novo navegador',
        `Você entrou no painel por um navegador que não conhecíamos.\n\nQuando: ${text.at}\nEndereço: ${text.ip}\nNavegador: ${text.userAgent}\n\nSe não foi você, troque a senha e encerre as outras sessões.`,
      ]
    case 'FACTOR_RESET':
      return [
        `Segundo fator redefinido em ${text.company}`,
        `O segundo fator de ${text.person} foi redefinido. Por 24 horas essa pessoa não confirma operações que movimentam dinheiro.`,
      ]
    case 'CODES_LOCKED':
      return [
        'Códigos bloqueados por uma hora',
        'Houve dez códigos errados seguidos na sua conta, e nenhum código é aceito por uma hora. Uma chave de acesso continua funcionando. Se não foi você, troque a senha.',
      ]
    case 'RECOVERY_CODE_USED':
      return [
        'Um código de recuperação foi usado',
        `Um código de recuperação seu foi usado para entrar no painel. Restam ${text.left}. Se não foi você, avise já um dono da conta da sua empresa.`,
      ]
  }
}

const changesPt: Readonly<Record<FactorChange, string>> = {
  PASSWORD: 'A sua senha foi trocada, e as outras sessões foram encerradas.',
  TOTP: 'Um aplicativo autenticador foi cadastrado na sua conta.',
  PASSKEY_ADDED: 'Uma chave de acesso foi cadastrada na sua conta.',
  PASSKEY_REMOVED: 'Uma chave de acesso foi removida da sua conta.',
  RECOVERY_CODES: 'Novos códigos de recuperação foram gerados; os anteriores não valem mais.',
}

const inEnglish = (text: MailText): Words => {
  switch (text.kind) {
    case 'NOTICE': {
      const sentence = noticeSentence('en', text.notice, text.details)
      const place = text.environment === 'SANDBOX' ? `${text.company}, in the Sandbox` : text.company
      return [
        sentence,
        `${sentence}.\n\nCompany: ${place}\nAll notices: ${text.link}\n\nYou choose on that page which notices come by mail.`,
      ]
    }
    case 'INVITATION':
      return [
        `Invitation to the dashboard of ${text.company}`,
        `${text.inviter ?? 'The operator of the service'} has invited you to the payments dashboard of ${text.company}.\n\nAccept within ${text.hours} hours:\n${text.link}\n\nIf you did not expect this, ignore this message.`,
      ]
    case 'PASSWORD_RESET':
      return [
        'A new password for the dashboard',
        `Somebody, most likely you, asked for a new password. The link works for 30 minutes, once:\n${text.link}\n\nThe second factor stays as it is. If it was not you, ignore this message: nothing has changed.`,
      ]
    case 'EMAIL_CHANGE':
      return [
        'Confirm your new e-mail address',
        `Confirm that this address is yours. The link works for 30 minutes:\n${text.link}`,
      ]
    case 'EMAIL_CHANGE_ASKED':
      return [
        'A new e-mail address for signing in was asked for',
        `Somebody, most likely you, asked to sign in to the dashboard as ${text.email}. It counts once that address is confirmed. If this was not you, change your password at once: that cancels the request.`,
      ]
    case 'EMAIL_CHANGED':
      return [
        'Your e-mail address for signing in has changed',
        `You now sign in to the dashboard as ${text.email}. If this was not you, tell an owner of your company at once.`,
      ]
    case 'FACTOR_CHANGED':
      return [
        'Your access to the dashboard has changed',
        `${changesEn[text.what]} If this was not you, tell an owner of your company at once.`,
      ]
    case 'NEW_SIGN_IN':
      return [
        'Signed in from a new browser',
        `You signed in to the dashboard from a browser that we did not know.\n\nWhen: ${text.at}\nAddress: ${text.ip}\nBrowser: ${text.userAgent}\n\nIf this was not you, change your password and end the other sessions.`,
      ]
    case 'FACTOR_RESET':
      return [
        `A second factor was reset at ${text.company}`,
        `The second factor of ${text.person} was reset. For 24 hours this person confirms no operations that move money.`,
      ]
    case 'CODES_LOCKED':
      return [
        'Codes are locked for an hour',
        'There were ten wrong codes in a row on your account, and no code is taken for an hour. A passkey still works. If this was not you, change your password.',
      ]
    case 'RECOVERY_CODE_USED':
      return [
        'A recovery code was used',
        `One of your recovery codes was used to sign in to the dashboard. ${text.left} are left. If this was not you, tell an owner of your company at once.`,
      ]
  }
}

const changesEn: Readonly<Record<FactorChange, string>> = {
  PASSWORD: 'Your password was changed, and your other sessions have ended.',
  TOTP: 'An authenticator app was added to your account.',
  PASSKEY_ADDED: 'A passkey was added to your account.',
  PASSKEY_REMOVED: 'A passkey was removed from your account.',
  RECOVERY_CODES: 'New recovery codes were made; the former ones no longer work.',
}
