// SPDX-License-Identifier: MIT

import Rendering

/// The style of the page: that of the cards, and what is around them.
package enum PageStyle {
    package static let text = HTMLPage.style + own

    /// The page's icon: a card with three lines.
    package static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="3" width="26" height="26" rx="6" fill="#0a5fc4"/>\
        <path d="M9 11h14M9 16h14M9 21h8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>

        """

    private static let own = """
        body { margin: 0 auto; padding: 1rem; max-width: 84rem }
        .top { display: flex; gap: 1rem; align-items: baseline; margin-bottom: .75rem } .top h1 { margin: 0; font-size: 1.4rem }
        #connection { flex: 1; margin: 0; color: var(--warning); font-size: .85rem } .single #connection:empty { display: none }
        #edit { display: none } .live #edit { display: block } .kiosk #edit { display: none }
        main { grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); align-items: start }
        .place { min-width: 0; border-radius: .9rem } .card h2 { overflow-wrap: anywhere }
        .controls { display: none; gap: .4rem; flex-wrap: wrap; justify-content: flex-end; margin: .5rem 0 0 }
        .live .controls { display: flex } .live.kiosk .controls { display: none }
        .arrange { display: none; gap: .4rem; flex-wrap: wrap } .editing .arrange { display: flex }
        .controls:not(:has(> button)) { margin: 0 } .editing .controls { margin: .5rem 0 0 }
        .readonly .controls { display: none } .item img { height: 1.2em; vertical-align: text-bottom; margin-inline-end: .3rem }
        #hidden { max-width: 40rem; margin-top: 1.5rem } #hidden li { margin: .4rem 0 }
        .grid { width: 100%; border-spacing: 0 } .grid td { overflow-wrap: break-word } .grid td:has(progress) { width: 40% }
        .controls button { font-size: .8rem; min-height: 1.8rem }
        button { color: var(--text); background: var(--page); border: 1px solid var(--soft); border-radius: .5rem; cursor: pointer }
        button:disabled { cursor: default; border-style: dashed; color: var(--soft) }
        a { color: var(--accent) }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
        [data-action] { cursor: pointer } .readonly [data-action] { cursor: default }
        .place.dragged { opacity: .5 } .place.target { outline: 2px dashed var(--accent); outline-offset: 3px }
        .place[draggable=true] { cursor: grab }
        figure { position: relative; touch-action: pan-y } .reading { position: absolute; inset-inline-end: 0; top: 0;
          padding: 0 .3rem; border-radius: .3rem; background: var(--card); color: var(--text); font-size: .8rem;
          pointer-events: none } svg .cursor { stroke: var(--text); stroke-width: 1; vector-effect: non-scaling-stroke }
        :root:has(.kiosk) { font-size: 140% } .kiosk { max-width: none; padding: 2rem; cursor: none } .single { padding: 0; max-width: none }
        .single main { display: block } .single .card { border-radius: 0; min-height: calc(100vh - 1.5rem) }
        .card.stale .view { opacity: 1 } .card.stale { border-left-style: dashed }
        .lost .card { border-left-style: dashed }
        @media (prefers-contrast: more) { :root { --soft: var(--text); --line: var(--text) } .stale .view { opacity: 1 } }
        @media print { :root { color-scheme: light; --page: #fff; --text: #000; --soft: #333; --line: #999 }
          body { max-width: none } #connection, .card button, .live .controls, .live #edit, #hidden { display: none }
          main { grid-template-columns: 1fr 1fr } .place { break-inside: avoid } .card { border: 1px solid #999 } }

        """
}
