// SPDX-License-Identifier: MIT

import Rendering

/// The style of the page: that of the cards, and what is around them.
package enum PageStyle {
    package static let text = HTMLPage.style + own

    private static let own = """
        body { margin: 0 auto; padding: 1rem; max-width: 84rem }
        .top { display: flex; gap: 1rem; align-items: baseline; margin-bottom: .75rem } .top h1 { margin: 0; font-size: 1.4rem }
        #connection { flex: 1; margin: 0; color: var(--warning); font-size: .85rem } #connection:empty { flex: 0 }
        main { grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); align-items: start }
        .place { min-width: 0; border-radius: .9rem } .card h2 { overflow-wrap: anywhere }
        .controls { display: none; gap: .4rem; flex-wrap: wrap; margin: .3rem 0 0; padding-inline-start: .5rem }
        .live .controls { display: flex } .kiosk .controls { display: none }
        .controls button { font-size: .8rem; min-height: 1.8rem }
        button { color: var(--text); background: var(--page); border: 1px solid var(--soft); border-radius: .5rem; cursor: pointer }
        button:disabled { cursor: default; opacity: .7 }
        a { color: var(--accent) }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
        [data-action] { cursor: pointer } .readonly [data-action] { cursor: default }
        .place.dragged { opacity: .5 } .place.target { outline: 2px dashed var(--accent); outline-offset: 3px }
        .place[draggable=true] .card > header { cursor: grab }
        figure { position: relative } .reading { position: absolute; inset-inline-end: 0; top: 0; padding: 0 .3rem;
          border-radius: .3rem; background: var(--card); color: var(--text); font-size: .8rem; pointer-events: none }
        .kiosk { max-width: none; padding: 2rem; font-size: 1.4rem; cursor: none } .single { padding: 0; max-width: none }
        .single main { display: block } .single .card { border-radius: 0; min-height: calc(100vh - 1.5rem) }
        .lost .card { opacity: .8 }
        @media (prefers-reduced-motion: no-preference) { .card.fresh { animation: fresh .6s ease-out }
          @keyframes fresh { from { background: color-mix(in srgb, var(--accent) 25%, var(--card)) } } }
        @media (prefers-contrast: more) { :root { --soft: var(--text); --line: var(--text) } .stale .view { opacity: 1 } }
        @media print { :root { --page: #fff; --card: #fff; --text: #000; --soft: #333; --line: #999 } body { max-width: none }
          .controls, #connection, .card button { display: none } .live .controls { display: none }
          main { grid-template-columns: 1fr 1fr } .place { break-inside: avoid } .card { border: 1px solid #999 } }

        """
}
