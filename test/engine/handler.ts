import { type Handler, handlerOf, passOn } from '../../engine/kernel/handler.ts'

/** A handler made of promises. */
export const handlerFrom = ({ execute, query }: Pick<Handler, 'execute' | 'query'>): Handler =>
  handlerOf(
    (command, to) => passOn(execute(command), to),
    (asked, to) => passOn(query(asked), to),
  )
