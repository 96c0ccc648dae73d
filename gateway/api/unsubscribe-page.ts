import type { Handler } from '../../engine/kernel/handler.ts'
import type { UnsubscribeTokens } from '../identity/unsubscribe-token.ts'
import { type Language, languageOf, languageTags } from '../problems/language.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import type { OpenPage } from './open-pages.ts'
import { answerWith } from './own-page.ts'

/**
 * Serves the link of a reminder, without a sign-in: GET asks, because programs that look through mail follow its links, and POST
 * unsubscribes, from the page or as the one click of a mail program (RFC 8058), whose form is not read.
 */
export const openUnsubscribePage =
  (tokens: Pick<UnsubscribeTokens, 'read'>, router: Pick<Handler, 'execute'>) =>
  ({ verb, path, headers }: Pick<HttpRequest, 'verb' | 'path' | 'headers'>): OpenPage => {
    if (!path.startsWith(unsubscribePath)) return null
    const language = languageOf(headers['accept-language'] ?? 'pt')
    const named = tokens.read(path.slice(unsubscribePath.length))
    if (named === null) return page(404, language, 'unknown')
    if (verb === 'GET' || verb === 'HEAD') return page(200, language, 'question')
    if (verb !== 'POST') return null
    return router
      .execute({ type: 'Unsubscribe', by: { kind: 'PAYER', id: null }, ...named })
      .then((reply) => (reply.accepted ? page(200, language, 'done') : page(404, language, 'unknown')))
  }

const unsubscribePath = '/descadastro/'

const page = (status: number, language: Language, kind: keyof (typeof words)['pt']): HttpResponse => {
  const { title, text } = words[language][kind]
  const button = kind === 'question' ? `<form method="post"><button>${title}</button></form>` : ''
  const response = answer(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="${languageTags[language]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title>
<style>body{max-width:30rem;margin:15vh auto;padding:0 1.25rem;font:1.0625rem/1.5 system-ui,sans-serif}h1{font-size:1.375rem}button{font:inherit;padding:.625rem 1.25rem;min-height:2.75rem}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${button}</main></body>
</html>
`,
    'no-store',
  )
  return { ...response, status }
}

const answer = answerWith({ 'style-src': "'unsafe-inline'", 'form-action': "'self'" })

const words = {
  pt: {
    question: {
      title: 'Parar de receber lembretes',
      text: 'Você deixará de receber por e-mail os lembretes de vencimento desta empresa. As cobranças continuam valendo.',
    },
    done: { title: 'Pronto', text: 'Você não receberá mais lembretes desta empresa neste e-mail.' },
    unknown: {
      title: 'Link inválido',
      text: 'Abra o link completo, como está no e-mail que você recebeu.',
    },
  },
  en: {
    question: {
      title: 'Stop reminders',
      text: 'You will no longer get reminders of due dates from this company by e-mail. What you owe stays the same.',
    },
    done: { title: 'Done', text: 'You will get no more reminders from this company at this address.' },
    unknown: { title: 'Invalid link', text: 'Open the whole link, as it stands in the mail that you got.' },
  },
} as const
