"""Balls that two people enter or a machine reads (kinds 32 to 36, 68 and 69); for tamper.py."""

from tampering import between, changed, put, same_person

ENTERED, DRAWN, REPLACED, ATTESTED, STOOD_IN, READ, INCIDENT = 32, 33, 34, 35, 36, 68, 69


def _another_number(chance, body, day):
    return body._replace(number=chance.choice([number for number in range(0, 83) if number != body.number]))


def _another_place(chance, body, day):
    return body._replace(position=chance.choice([place for place in range(0, 24) if place != body.position]))


def _exchanged(chance, body, day):
    return body._replace(by=body.second, second=body.by)


def _of_another(kind):
    """The same of another draw of the day."""
    def change(chance, body, day):
        others = {day.bodies[place].draw for place in day.all_of(20)} - {body.draw} | {1 << 40}
        return body._replace(draw=chance.choice(sorted(others)))
    return changed(kind, change, between)


SORTS = {
    "entered_number": changed(ENTERED, _another_number, between),
    "entered_place": changed(ENTERED, _another_place, between),
    "entered_by_nobody": changed(ENTERED, put(by="nobody"), between),
    "entered_elsewhere": _of_another(ENTERED),
    "drawn_number": changed(DRAWN, _another_number, "ball_drawn_wrong"),
    "drawn_place": changed(DRAWN, _another_place, between),
    "drawn_exchanged": changed(DRAWN, _exchanged, "ball_drawn_wrong"),
    "drawn_elsewhere": _of_another(DRAWN),
    "read_number": changed(READ, _another_number, between),
    "read_place": changed(READ, _another_place, between),
    "read_set": changed(READ, put(ball_set="another"), between),
    "read_by_nothing": changed(READ, put(machine=""), between),
    "read_elsewhere": _of_another(READ),
    "incident_unknown": changed(INCIDENT, put(incident=19), "line_incident_wrong"),
    "incident_counted": changed(INCIDENT, put(counted=21), "line_incident_wrong"),
    "replaced_alone": changed(REPLACED, same_person("leaving", "second"), between),
    "attested_balls": changed(ATTESTED, put(balls=bytes([1])), between),
    "attested_unknown": changed(ATTESTED, put(finding=6), "tubes_wrong"),
    "stood_in_alone": changed(STOOD_IN, same_person(), between),
}
