import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { problemOfError } from '../core/api.ts'
import { type LanguageTag, language } from '../core/language.ts'
import type { ApiProblem } from '../core/problem.ts'
import { Loading, Page } from './basics.tsx'

/** Texts that only some pages need. */
export type OwnTexts = {
  /** Whether they are there, in the language of the page. Reads them where they are not. */
  readonly useTexts: () => {
    readonly areThere: boolean
    readonly problem: ApiProblem | null
    readonly refresh: () => void
  }
  /** A page that is shown once they are there. */
  readonly withTexts: <Props extends object>(
    title: () => string,
    Component: FunctionComponent<Props>,
  ) => FunctionComponent<Props>
}

/** Opens texts that are loaded, and held, when what needs them is first shown. */
export const ownTexts = <Texts,>(
  load: Readonly<Record<LanguageTag, () => Promise<Texts>>>,
  hold: (texts: Texts) => void,
): OwnTexts => {
  let heldIn: LanguageTag | null = null
  const useTexts: OwnTexts['useTexts'] = () => {
    const [, render] = useState({})
    const [problem, setProblem] = useState<ApiProblem | null>(null)
    const tag = language()
    const refresh = (): void => {
      if (heldIn === tag) return
      setProblem(null)
      load[tag]().then(
        (texts) => {
          hold(texts)
          heldIn = tag
          render({})
        },
        (error) => setProblem(problemOfError(error)),
      )
    }
    useEffect(refresh, [tag])
    return { areThere: heldIn === tag, problem, refresh }
  }
  return {
    useTexts,
    withTexts: (title, Component) => {
      const WithTexts: typeof Component = (props) => {
        const { areThere, ...unread } = useTexts()
        if (areThere) return <Component {...props} />
        // A heading that gives way to another one would take the focus with it.
        return unread.problem === null ? <Loading rows={8} /> : <Page title={title()} unread={unread} />
      }
      return WithTexts
    },
  }
}
