import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { problemOfError } from '../../core/api.ts'
import { type LanguageTag, language } from '../../core/language.ts'
import type { ApiProblem } from '../../core/problem.ts'
import { Page } from '../../parts/basics.tsx'
import type { CheckoutTexts } from '../../texts/checkout-pt.ts'

/** The texts of the checkout's pages, once one of them is shown. */
export let say: CheckoutTexts
let sayIn: LanguageTag | null = null

const load = async (tag: LanguageTag): Promise<void> => {
  say =
    tag === 'en'
      ? (await import('../../texts/checkout-en.ts')).checkoutEn
      : (await import('../../texts/checkout-pt.ts')).checkoutPt
  sayIn = tag
}

/** A page whose texts are loaded before it is shown: no other page needs them. */
export const withTexts = <Props extends object>(
  title: () => string,
  Component: FunctionComponent<Props>,
): FunctionComponent<Props> => {
  const WithTexts = (props: Props) => {
    const [, render] = useState({})
    const [problem, setProblem] = useState<ApiProblem | null>(null)
    const tag = language()
    const read = (): void => {
      if (sayIn === tag) return
      setProblem(null)
      load(tag).then(
        () => render({}),
        (error) => setProblem(problemOfError(error)),
      )
    }
    useEffect(read, [tag])
    return sayIn === tag ? (
      <Component {...props} />
    ) : (
      <Page title={title()} unread={{ problem, refresh: read }} />
    )
  }
  return WithTexts
}
