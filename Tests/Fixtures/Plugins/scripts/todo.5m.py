#!/usr/bin/env python3
# <xbar.title>Todo</xbar.title>
# <xbar.author>Frank Example</xbar.author>
"""Open tasks in a text file, the important ones first."""
TASKS = """
(A) Call the bank +home @phone
(B) Review the patch | of Monday
x 2026-01-02 Buy milk
Water plants :seedling:
(A) Überweisung "Miete" 'dringend'
""".strip().splitlines()

done = [task for task in TASKS if task.startswith("x ")]
todo = sorted((task for task in TASKS if task not in done), key=lambda task: (not task.startswith("("), task))
print(f"☑️ {len(todo)}")
print("---")
for task in todo:
    color = {"(A)": "red", "(B)": "orange"}.get(task[:3], "")
    title = task[4:] if color else task
    # A bar would begin the parameters.
    title = title.replace("|", "¦")
    print(f"{title} | color={color} length=30 shell=/usr/local/bin/todo param1=do param2='{title}' terminal=false refresh=true")
    print(f"--Edit | shell=/usr/local/bin/todo param1=edit param2={len(title)} terminal=true")
print("---")
print(f"Done ({len(done)}) | disabled=true")
for task in done:
    print(f"--{task[13:]} | color=gray size=11 templateImage=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNiAAAABgADNjd8qAAAAABJRU5ErkJggg==")
