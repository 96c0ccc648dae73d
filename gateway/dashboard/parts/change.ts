import { useAction } from '../core/query.ts'
import { done } from './toasts.tsx'

/** A change that one press makes: what follows from it is read again, and what was done is announced. */
export const useChange = <Input extends unknown[]>(
  act: (...input: Input) => Promise<unknown>,
  text: string,
  ...changed: readonly string[]
) =>
  useAction(async (...input: Input) => {
    await act(...input)
    done(text, ...changed)
  })
